import { messageOf, outOfDescriptorsError, type ToolkitError } from '../../kernel/index.ts';

/**
 * Returns the error to throw when no file descriptor is left, also for an error that a thread reported; undefined for any
 * other error.
 */
export function toDescriptorError(error: unknown): ToolkitError | undefined {
  const [code] = /\b(?:EMFILE|ENFILE)\b/.exec(messageOf(error)) ?? [];
  return code === undefined ? outOfDescriptorsError(error) : outOfDescriptorsError(Object.assign(new Error(messageOf(error)), { code }));
}
