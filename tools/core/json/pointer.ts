import type { JsonValue } from '../../../kernel/index.ts';
import type { QueryResult } from './query.ts';
import { badQuery } from './query-error.ts';

/** The value at a JSON pointer (RFC 6901). A place that does not exist gives 0 matches. Throws INVALID_PARAMETERS. */
export function followPointer(data: JsonValue, pointer: string): QueryResult {
  if (pointer !== '' && !pointer.startsWith('/')) throw badQuery('pointer', `expected "/", received "${pointer.slice(0, 1)}"`, 0);
  const badEscape = pointer.search(/~(?![01])/);
  if (badEscape >= 0) throw badQuery('pointer', 'expected "~0" or "~1" after which a name goes on, received another "~"', badEscape);
  const names = pointer.split('/').slice(1);
  const found = names.reduce<JsonValue | undefined>((value, name) => memberOf(value, unescaped(name)), data);
  return found === undefined ? { result: null, matches: 0 } : { result: found, matches: 1 };
}

/** `~1` before `~0`, so that `~01` becomes `~1` (RFC 6901, 4). */
function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  if (!Array.isArray(value)) return (value as { readonly [key: string]: JsonValue })[name];
  return /^(0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
}
