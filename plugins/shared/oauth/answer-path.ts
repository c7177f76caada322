import { asText, isPlainObject, type JsonObject } from '../../../kernel/index.ts';

/** Returns the value at a path of an answer, such as `authed_user.access_token` or `accounts.0.id`; undefined when there is none. */
export function valueAt(answer: unknown, path: string): unknown {
  let found: unknown = answer;
  for (const part of path.split('.')) {
    const isMember = (isPlainObject(found) || Array.isArray(found)) && Object.hasOwn(found, part);
    found = isMember ? (found as JsonObject)[part] : undefined;
  }
  return found;
}

/** Returns the text at a path. Undefined for objects, lists, booleans and the empty text. */
export function textAt(answer: unknown, path: string): string | undefined {
  const found = valueAt(answer, path);
  if (typeof found === 'number') return asText(found);
  return typeof found === 'string' && found !== '' ? asText(found) : undefined;
}
