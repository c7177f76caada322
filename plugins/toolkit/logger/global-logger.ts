import { createLogger, type Logger } from '../../../kernel/index.ts';
import { checkLogger } from '../../../kernel/log/safe-logger.ts';

interface GlobalLoggers {
  /** Set by `setGlobalToolkitLogger`. */
  set?: Logger;
  /** Loggers of the open toolkits, in the order of their opening. */
  readonly open: Set<Logger>;
  /** Created when there is no other logger. */
  byDefault?: Logger;
}

/** Shared by all copies of this package in the process. */
const key = Symbol.for('toolkit.globalLogger');

function loggers(): GlobalLoggers {
  const holder = globalThis as { [key]?: GlobalLoggers };
  holder[key] ??= { open: new Set() };
  return holder[key];
}

/**
 * Returns the logger for code without one: the one set with `setGlobalToolkitLogger`; else that of the first open toolkit (`Toolkit.init`,
 * `createMCPServer`, the command line), which masks its secrets; else a new one with the settings of the environment. Call it where you log, not
 * once when a module loads. Worker threads have their own.
 */
export function getGlobalToolkitLogger(): Logger {
  const known = loggers();
  const [first] = known.open;
  if (known.set !== undefined) return known.set;
  if (first !== undefined) return first;
  known.byDefault ??= createLogger();
  return known.byDefault;
}

/**
 * Replaces all other loggers, and the built-in one of toolkits that are opened later without a logger. Undefined reverts that. The logger is used
 * as it is, without masking. Throws CONFIG_INVALID when it lacks a method.
 */
export function setGlobalToolkitLogger(logger: Logger | undefined): void {
  if (logger !== undefined) checkLogger(logger, 'The global logger');
  const known = loggers();
  if (logger === undefined) delete known.set;
  else known.set = logger;
}

/** Returns the logger that was set with `setGlobalToolkitLogger`. */
export function explicitGlobalLogger(): Logger | undefined {
  return loggers().set;
}

/** Adds the logger of a toolkit as a candidate. Returns a function that withdraws it. */
export function offerGlobalLogger(logger: Logger): () => void {
  const { open } = loggers();
  open.add(logger);
  return () => void open.delete(logger);
}
