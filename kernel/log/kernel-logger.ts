import type { Masking } from './bounded-text.ts';
import { createLogger, type Logger } from './logger.ts';
import { maskedLogger } from './masked-logger.ts';
import { checkLogger, safeLogger } from './safe-logger.ts';

/** Returns the logger of a kernel: the given one, or one on standard error, with secrets masked. Throws PLUGIN_INVALID for an invalid one. */
export function kernelLogger(given: Logger | undefined, masking: Masking): Logger {
  const own = (): Logger => maskedLogger(createLogger(), masking);
  if (given === undefined) return own();
  checkLogger(given);
  return maskedLogger(safeLogger(given, own), masking);
}
