import { messageOf, outOfDescriptorsError, type ToolkitError } from '../../kernel/index.ts';

/** What to say of an error which means that no file descriptor is left, also of one that a thread has told; undefined for any other. */
export function withoutDescriptors(error: unknown): ToolkitError | undefined {
  const [code] = /\b(?:EMFILE|ENFILE)\b/.exec(messageOf(error)) ?? [];
  return code === undefined ? outOfDescriptorsError(error) : outOfDescriptorsError(Object.assign(new Error(messageOf(error)), { code }));
}
