import { messageOf, ToolkitError } from '../errors.ts';
import { outOfDescriptorsError } from '../files/out-of-descriptors.ts';
import { plainMeta } from '../log/plain-meta.ts';

/** What was thrown as a ToolkitError, with secrets masked in everything that it carries: message, details, cause and stack. */
export function maskedError(thrown: unknown, mask: <T>(value: T) => T, more: ToolkitError['details'] = {}): ToolkitError {
  const told = outOfDescriptorsError(thrown) ?? thrown;
  const error = ToolkitError.is(told) ? told : new ToolkitError('EXECUTION_FAILED', messageOf(told), {}, { cause: told });
  // As plain values, because only those are searched.
  const details = mask(plainMeta({ ...more, ...error.details }, { isUnlimited: true }));
  const masked = new ToolkitError(error.code, mask(error.message), details, { cause: maskedCause(error.cause, mask) });
  if (error.stack !== undefined) masked.stack = mask(error.stack);
  return masked;
}

function maskedCause(cause: unknown, mask: <T>(value: T) => T): unknown {
  if (cause instanceof Error) return Object.assign(new Error(mask(cause.message)), { name: mask(cause.name) });
  return cause === undefined ? undefined : mask(plainMeta({ cause }, { isUnlimited: true }))['cause'];
}
