import { errorCodes } from './messages.ts';
import { ProtocolError } from './protocol-error.ts';

/**
 * One page of a list that is sorted by key (MCP, Pagination). The cursor holds the last key of the page before, so that it stays valid
 * when entries are added or removed between two pages. Throws -32602 for a cursor that this server did not make.
 */
export function listPage<T>(
  entries: readonly (readonly [string, T])[],
  cursor: string | undefined,
  pageSize: number,
): { readonly items: readonly T[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? undefined : keyOf(cursor);
  const rest = after === undefined ? entries : entries.filter(([key]) => key > after);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1)?.[0];
  const items = page.map(([, item]) => item);
  return rest.length > page.length && last !== undefined ? { items, nextCursor: cursorOf(last) } : { items };
}

/** Begins the text inside every cursor of ours. */
const cursorPrefix = 'after:';

function cursorOf(key: string): string {
  return Buffer.from(cursorPrefix + key, 'utf8').toString('base64url');
}

function keyOf(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (text.startsWith(cursorPrefix)) return text.slice(cursorPrefix.length);
  throw new ProtocolError(
    errorCodes.invalidParams,
    'The cursor is not one that this server gave. Leave it out to begin with the first page.',
  );
}
