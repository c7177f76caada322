import { costLimits } from './cost.ts';
import { isPlainObject, type JsonObject, type JsonValue, setMember } from './json.ts';

/** A copy of a foreign value as JSON, which its source cannot change later, with its approximate length in characters. */
export interface ForeignJson {
  readonly json: JsonObject;
  readonly length: number;
}

/**
 * Copies a foreign value, without functions and undefined members. Stops when it exceeds `maxLength` characters or the maximum nesting, and then
 * returns the reason as text.
 */
export function foreignJson(value: unknown, maxLength: number): ForeignJson | string {
  let length = 0;
  const count = (characters: number): void => {
    length += characters;
    if (length > maxLength) throw new Refused(`has more than ${maxLength.toLocaleString('en')} characters`);
  };
  const copy = (part: unknown, depth: number): JsonValue | undefined => {
    if (depth > costLimits.depth) throw new Refused(`is nested deeper than ${costLimits.depth} levels`);
    if (typeof part === 'string') {
      count(part.length + 2);
      return part;
    }
    count(4);
    if (part === null || typeof part === 'boolean') return part;
    if (typeof part === 'number') return Number.isFinite(part) ? part : null;
    if (Array.isArray(part)) return part.map((item) => copy(item, depth + 1) ?? null);
    if (typeof part !== 'object') return undefined;
    const members: JsonObject = {};
    // Not Object.entries: it would list all members before the first is counted.
    for (const name in part) {
      if (!Object.hasOwn(part, name)) continue;
      count(name.length + 3);
      const copied = copy((part as Record<string, unknown>)[name], depth + 1);
      if (copied !== undefined) setMember(members, name, copied);
    }
    return members;
  };
  if (!isPlainObject(value)) return 'is no object with keys';
  try {
    return { json: copy(value, 1) as JsonObject, length };
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

class Refused extends Error {}

/** Returns JSON with sorted members, so that their order does not matter. */
export function canonicalJson(value: unknown): string {
  // Sorted first: a replacer of JSON.stringify takes several times as long.
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const copy: JsonObject = {};
  for (const name of Object.keys(value).sort()) setMember(copy, name, sorted(value[name]));
  return copy;
}

/** Maximum number of differing members that are named. */
export const maxDiffering = 10;

/** Returns paths of members that differ between two definitions, such as `parameters.q.type`; at most ten. */
export function differingMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const paths: string[] = [];
  const compare = (a: unknown, b: unknown, path: readonly string[]): void => {
    if (paths.length >= maxDiffering || canonicalJson(a) === canonicalJson(b)) return;
    if (isPlainObject(a) && isPlainObject(b))
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) compare(a[name], b[name], [...path, name.slice(0, 60)]);
    else paths.push(path.join('.'));
  };
  compare(before, after, []);
  return paths;
}
