/** Splits a JSON pointer (RFC 6901) into names, or returns the mistake and its index, in UTF-16 code units from 0. */
export function readPointer(pointer: string): { readonly names: readonly string[] } | { readonly mistake: string; readonly index: number } {
  if (pointer !== '' && !pointer.startsWith('/')) return { mistake: `expected "/", received "${pointer.slice(0, 1)}"`, index: 0 };
  const index = pointer.search(/~(?![01])/);
  if (index >= 0) return { mistake: 'expected "~0" or "~1" after which a name goes on, received another "~"', index };
  return { names: pointer.split('/').slice(1).map(unescaped) };
}

/** Escapes a name for a pointer. */
export function escapedName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Replaces `~1` before `~0`, so that `~01` becomes `~1` (RFC 6901, 4). */
function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the list index that a name stands for. Undefined for any other name, such as `01`. */
export function indexOf(name: string): number | undefined {
  return /^(0|[1-9]\d*)$/.test(name) ? Number(name) : undefined;
}
