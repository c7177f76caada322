import { messageOf, ToolkitError } from '../errors.ts';
import { describeValue } from '../json/json.ts';
import { discard, type Logger, loggerMethods, withFormatOf } from './logger.ts';

/** Throws CONFIG_INVALID for a logger without one of the four methods. `what`: its name in the message. */
export function checkLogger(logger: unknown, what = 'The logger'): asserts logger is Logger {
  const isObject = (typeof logger === 'object' && logger !== null) || typeof logger === 'function';
  const missing = loggerMethods.filter((name) => !isObject || typeof (logger as Partial<Logger>)[name] !== 'function');
  if (missing.length === 0) return;
  const received = isObject ? `one without ${missing.join(', ')}` : describeValue(logger);
  throw new ToolkitError(
    'CONFIG_INVALID',
    `${what} cannot be used: expected an object with the methods ${loggerMethods.join(', ')}, received ${received}.`,
  );
}

/** Wraps a host's logger so that it never throws or rejects. `fallback` reports the first failure, and gets every record that failed. */
export function safeLogger(logger: Logger, fallback: () => Logger): Logger {
  let spare: Logger | undefined;
  const failed = (level: keyof Logger, record: Parameters<Logger['info']>, error: unknown): void => {
    if (spare === undefined) {
      spare = fallback();
      spare.warn(`The configured logger failed: ${reasonOf(error)}. Records that it could not write are written here.`);
    }
    spare[level](...record);
  };
  const method = (level: keyof Logger): Logger[typeof level] => {
    if (logger[level] === discard) return discard;
    return (...record) => {
      try {
        const returned: unknown = logger[level](...record);
        if (typeof (returned as Partial<Promise<unknown>> | undefined | null)?.then === 'function')
          Promise.resolve(returned).catch((error: unknown) => failed(level, record, error));
      } catch (error) {
        failed(level, record, error);
      }
    };
  };
  return withFormatOf({ error: method('error'), warn: method('warn'), info: method('info'), debug: method('debug') }, logger);
}

function reasonOf(error: unknown): string {
  try {
    return messageOf(error);
  } catch {
    return 'for a reason that cannot be read';
  }
}
