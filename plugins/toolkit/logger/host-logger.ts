import { createLogger, discard, type Logger, type LoggerOptions, type LogLevel, logLevels, withFormatOf } from '../../../kernel/index.ts';
import { logSettings } from '../../../kernel/log/log-settings.ts';
import { checkLogger, safeLogger } from '../../../kernel/log/safe-logger.ts';
import { explicitGlobalLogger } from './global-logger.ts';

export interface HostLoggerOptions extends Pick<LoggerOptions, 'level' | 'format' | 'maxLevel' | 'env'> {
  /** Logger of the host. @default the one set with `setGlobalToolkitLogger`, else the built-in one */
  readonly logger?: Logger | undefined;
}

/**
 * Returns the logger of a host, such as a server: the built-in one, or the host's own. The host's own gets the records of the requested level, and
 * all records when none was requested; the format does not apply to it. Throws CONFIG_INVALID for an invalid logger, level or format.
 */
export function hostLogger({ logger = explicitGlobalLogger(), ...options }: HostLoggerOptions = {}): Logger {
  if (logger === undefined) return createLogger(options);
  checkLogger(logger);
  const { level, warnings } = logSettings(options, options.env ?? process.env);
  for (const warning of level === 'silent' ? [] : warnings) safeLogger(logger, createLogger).warn(warning);
  return level === undefined ? logger : limitLevel(logger, level);
}

function limitLevel(logger: Logger, level: LogLevel): Logger {
  const isOn = (name: keyof Logger): boolean => logLevels.indexOf(name) <= logLevels.indexOf(level);
  const method = (name: keyof Logger): Logger[typeof name] => (isOn(name) ? (...record) => logger[name](...record) : discard);
  return withFormatOf({ error: method('error'), warn: method('warn'), info: method('info'), debug: method('debug') }, logger);
}
