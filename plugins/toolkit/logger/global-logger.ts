import { createLogger, type Logger } from '../../../kernel/index.ts';
import { checkLogger } from '../../../kernel/log/safe-logger.ts';

interface GlobalLoggers {
  /** Set by hand. */
  set?: Logger;
  /** Of the toolkits that are open, in the order in which they were. */
  readonly open: Set<Logger>;
  /** Made when there is no other. */
  byDefault?: Logger;
}

/** One for the process, also where several copies of this package are loaded. */
const key = Symbol.for('toolkit.globalLogger');

function loggers(): GlobalLoggers {
  const holder = globalThis as { [key]?: GlobalLoggers };
  holder[key] ??= { open: new Set() };
  return holder[key];
}

/**
 * The logger for code that is given none: the one that `setGlobalToolkitLogger` set; else that of the first toolkit that is open
 * (`Toolkit.init`, `createMCPServer`, the command line), which masks its secrets; else one with the settings of the environment. Ask for it
 * where you log, not once when a module is loaded. Worker threads have their own.
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
 * Puts a logger in the place of all others, and of the built-in one in toolkits that are opened afterwards without a logger of their own.
 * Undefined takes it back. It is returned as it is, and masks nothing. Throws CONFIG_INVALID for what lacks a method.
 */
export function setGlobalToolkitLogger(logger: Logger | undefined): void {
  if (logger !== undefined) checkLogger(logger, 'The global logger');
  const known = loggers();
  if (logger === undefined) delete known.set;
  else known.set = logger;
}

/** The logger that was set by hand. */
export function ownGlobalLogger(): Logger | undefined {
  return loggers().set;
}

/** Makes the logger of a toolkit a candidate. Gives what withdraws it. */
export function offerGlobalLogger(logger: Logger): () => void {
  const { open } = loggers();
  open.add(logger);
  return () => void open.delete(logger);
}
