import { isPlainObject, type JsonValue, type Paginate } from '../../kernel/index.ts';
import { replacedAt, valueAt } from './answer-path.ts';

/**
 * The list of an answer; undefined when the answer is of another kind. A list that is missing where it should be is empty: some
 * services leave it out when there is nothing in it.
 */
export function listIn(body: JsonValue, path: string): readonly JsonValue[] | undefined {
  const value = path === '' || isPlainObject(body) ? valueAt(body, path) : body;
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && (path === '' || isPlainObject(body)) ? value : undefined;
}

/** The last answer with all items in it. Without `items` it keeps its own. `next` is how to go on, null at the end. */
export function outputOf(
  { items: path, next: how }: Paginate,
  body: JsonValue,
  items: readonly JsonValue[] | undefined,
  next: JsonValue,
): JsonValue {
  if (path === '') return { items: items ?? (body === null ? [] : body), next };
  const whole = items === undefined ? body : replacedAt(body, path, items);
  const isTold = how.cursor !== undefined || how.offset !== undefined;
  return isTold || !isPlainObject(whole) || Object.hasOwn(whole, 'next') ? whole : { ...(whole as Record<string, JsonValue>), next };
}
