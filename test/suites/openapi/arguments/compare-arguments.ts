import { isPlainObject } from '../../../../kernel/index.ts';
import type { DecodedRequest } from '../decoder/decode-request.ts';
import { NumberText } from '../decoder/read-exact-json.ts';
import { jsonParts, withNumbers } from '../swagger/taken-apart.ts';
import type { DocumentArguments } from './document-arguments.ts';
import { longIntegers } from './sample-value.ts';

/** One argument that did not come back. */
export interface Lost {
  /** `<place> <name>`, `body`, or `body <member>`. */
  readonly key: string;
  readonly given: unknown;
  readonly received: unknown;
}

/** Returns the arguments that a decoded request does not have, and those that it has in addition. */
export function lostArguments(given: DocumentArguments, decoded: DecodedRequest, isOwn: (key: string) => boolean): readonly Lost[] {
  const lost: Lost[] = [];
  const compare = (key: string, one: unknown, other: unknown, same: (one: unknown, other: unknown) => boolean): void => {
    if (!same(one, other)) lost.push({ key, given: one, received: shown(other) });
  };
  for (const key of new Set([...given.parameters.keys(), ...decoded.parameters.keys()])) {
    if (isOwn(key)) compare(key, given.parameters.get(key), decoded.parameters.get(key), isSameText);
  }
  for (const key of decoded.unexplained) if (isOwn(key)) lost.push({ key, given: undefined, received: 'is there' });
  if (given.mediaType !== undefined && given.mediaType !== decoded.mediaType && decoded.body !== undefined)
    lost.push({ key: 'media type', given: given.mediaType, received: decoded.mediaType });
  const isMembers = given.mediaType === 'application/x-www-form-urlencoded' || given.mediaType === 'multipart/form-data';
  if (isMembers) {
    const [one, other] = [members(given.body), members(decoded.body)];
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) compare(`body ${name}`, one[name], other[name], isSameText);
  } else if (given.mediaType !== undefined && /[/+]json$/.test(given.mediaType)) {
    compare('body', given.body, decoded.body, isSameJson);
  } else {
    compare('body', given.body, decoded.body, isSameText);
  }
  return lost;
}

/** True where two values are the same JSON. Digits of a 64-bit number are a number there. */
export function isSameJson(given: unknown, received: unknown): boolean {
  return JSON.stringify(sorted(withNumbers(asJson(given)))) === JSON.stringify(sorted(withNumbers(received)));
}

/** True where a text form has the value. An empty list and an absent value look the same. */
export function isSameText(given: unknown, received: unknown): boolean {
  if (received instanceof NumberText || (typeof received === 'object' && received !== null && hasNumbers(received)))
    return isSameJson(given, received);
  if (isNothing(given) && (isNothing(received) || given === undefined || given === null)) return isNothing(received);
  if (Array.isArray(given)) {
    if (typeof received === 'string') return isJsonText(given, received);
    const items = given.filter((item) => item !== null);
    return isSameList(items, received) || isSameNumbered(items, received);
  }
  if (isPlainObject(given)) {
    if (typeof received === 'string') return isJsonText(given, received);
    if (!isPlainObject(received)) return false;
    return [...new Set([...Object.keys(given), ...Object.keys(received)])].every((name) => isSameText(given[name], received[name]));
  }
  return String(given) === received;
}

function isSameList(items: readonly unknown[], received: unknown): boolean {
  return Array.isArray(received) && items.length === received.length && items.every((item, index) => isSameText(item, received[index]));
}

/** True for items that deepObject numbers, as no other style does: one without leaves writes nothing, and the others keep their numbers. */
function isSameNumbered(items: readonly unknown[], received: unknown): boolean {
  if (typeof received !== 'object' || received === null) return false;
  const numbered = new Map(Object.entries(received));
  const isNumbered = [...numbered].every(
    ([number, item]) => /^\d+$/.test(number) && Number(number) < items.length && typeof item === 'object',
  );
  return isNumbered && items.every((item, index) => isSameText(item, numbered.get(String(index))));
}

function isJsonText(given: unknown, text: string): boolean {
  try {
    return JSON.stringify(sorted(withNumbers(asJson(given)))) === JSON.stringify(sorted(jsonParts(text)));
  } catch {
    return false;
  }
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && !(value instanceof NumberText) && Object.values(value).every(isNothing);
}

function asJson(value: unknown): unknown {
  if (typeof value === 'number') return new NumberText(String(value));
  if (typeof value === 'string' && longIntegers.includes(value)) return new NumberText(value);
  if (Array.isArray(value)) return value.map(asJson);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asJson(member)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

function hasNumbers(value: object): boolean {
  return Object.values(value).some(
    (member) => member instanceof NumberText || (typeof member === 'object' && member !== null && hasNumbers(member)),
  );
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}

function shown(value: unknown): unknown {
  return withNumbers(value);
}
