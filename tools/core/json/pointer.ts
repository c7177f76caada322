import type { JsonValue } from '../../../kernel/index.ts';
import { indexOf, readPointer } from './json-pointer.ts';
import { badQuery } from './query-error.ts';
import type { QueryResult } from './query-result.ts';

/** Returns the value at a JSON pointer (RFC 6901). A path that does not exist gives 0 matches. Throws INVALID_PARAMETERS. */
export function followPointer(data: JsonValue, pointer: string): QueryResult {
  const read = readPointer(pointer);
  if ('mistake' in read) throw badQuery('pointer', read.mistake, read.index);
  const found = read.names.reduce<JsonValue | undefined>(memberOf, data);
  return found === undefined ? { result: null, matches: 0 } : { result: found, matches: 1 };
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  if (!Array.isArray(value)) return (value as { readonly [key: string]: JsonValue })[name];
  const index = indexOf(name);
  return index === undefined ? undefined : value[index];
}
