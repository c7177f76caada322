import { messageOf, ToolkitError } from '../errors.ts';
import { outOfDescriptorsError } from '../files/out-of-descriptors.ts';
import { plainMeta } from '../log/plain-meta.ts';

/** Returns the thrown value as a ToolkitError with secrets masked in its message, details, cause and stack. */
export function maskedError(thrown: unknown, mask: <T>(value: T) => T, more: ToolkitError['details'] = {}): ToolkitError {
  const told = outOfDescriptorsError(thrown) ?? thrown;
  const error = ToolkitError.is(told) ? told : new ToolkitError('EXECUTION_FAILED', messageOf(told), {}, { cause: told });
  // Converted to plain values, because masking searches only those.
  const details = mask(plainMeta({ ...more, ...error.details }, { isUnlimited: true }));
  const masked = new ToolkitError(error.code, mask(error.message), details, { cause: maskedCause(error.cause, mask) });
  if (error.stack !== undefined) masked.stack = mask(error.stack);
  return masked;
}

function maskedCause(cause: unknown, mask: <T>(value: T) => T): unknown {
  if (cause instanceof Error) return Object.assign(new Error(mask(cause.message)), { name: mask(cause.name) });
  return cause === undefined ? undefined : mask(plainMeta({ cause }, { isUnlimited: true }))['cause'];
}
