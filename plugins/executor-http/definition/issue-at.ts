import type { Issue } from '../../../kernel/index.ts';

/** Escapes a key as one segment of a JSON pointer (RFC 6901, 3). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns an issue. `pointer`: its place, a JSON pointer without the first slash, such as `form/a~1b`. */
export function issueAt(pointer: string, message: string): Issue {
  const path = pointer.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  return { path, pointer: `/${pointer}`, message };
}
