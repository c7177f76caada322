import { isPlainObject, type JsonValue } from '../../../kernel/index.ts';
import type { Paginate } from '../definition/paginate.ts';
import { replaceAt, valueAt } from '../response/answer-path.ts';

/**
 * Returns the list of an answer; undefined when the answer is of another kind, or empty. A list that is missing in an object
 * counts as empty: some services leave out an empty list.
 */
export function findList(body: JsonValue, path: string): readonly JsonValue[] | undefined {
  if (path === '') return Array.isArray(body) ? body : undefined;
  if (!isPlainObject(body)) return undefined;
  const value = valueAt(body, path) ?? [];
  return Array.isArray(value) ? value : undefined;
}

/**
 * Returns the last answer with all items in it, or with its own where `items` is undefined. `next` says how to continue, null
 * at the end.
 */
export function makeOutput(
  { items: path, next: nextRule }: Paginate,
  body: JsonValue,
  items: readonly JsonValue[] | undefined,
  next: JsonValue,
): JsonValue {
  if (path === '') return Array.isArray(body) ? { items: items ?? body, next } : body;
  const fullBody = items === undefined ? body : replaceAt(body, path, items);
  const isInAnswer = nextRule.cursor !== undefined || nextRule.offset !== undefined;
  return isInAnswer || !isPlainObject(fullBody) || Object.hasOwn(fullBody, 'next')
    ? fullBody
    : { ...(fullBody as Record<string, JsonValue>), next };
}
