import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';

/**
 * Returns one page of a list that is sorted by key (MCP, Pagination). The cursor holds the last key of the previous page, so it
 * stays valid when entries are added or removed. Throws -32602 for a foreign cursor. The cost depends on the page, not on the list.
 */
export function listPage<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
  { cursor, pageSize }: { readonly cursor: string | undefined; readonly pageSize: number },
): { readonly page: readonly T[]; readonly nextCursor?: string } {
  const start = cursor === undefined ? 0 : indexAfter(entries, keyOf, keyIn(cursor));
  const page = entries.slice(start, start + pageSize);
  const last = page.at(-1);
  return last === undefined || start + page.length === entries.length ? { page } : { page, nextCursor: cursorOf(keyOf(last)) };
}

/** Returns the index of the first entry whose key follows this one. */
function indexAfter<T>(entries: readonly T[], keyOf: (entry: T) => string, key: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keyOf(entries[middle] as T) > key) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Prefix of the decoded text of every cursor. */
const cursorPrefix = 'after:';

function cursorOf(key: string): string {
  return Buffer.from(cursorPrefix + key, 'utf8').toString('base64url');
}

function keyIn(cursor: string): string {
  // Own text: a cursor; another one finds nothing
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (text.startsWith(cursorPrefix)) return text.slice(cursorPrefix.length);
  throw new RpcError(errorCodes.invalidParams, 'The cursor is not one that this server gave. Leave it out to begin with the first page.');
}
