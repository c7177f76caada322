import { isDeepStrictEqual } from 'node:util';
import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import type { Note } from './value-keywords.ts';

type Mutable = Record<string, unknown>;

/** Keywords that say something and check nothing. */
export const annotations: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

const lower: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']);
const upper: ReadonlySet<string> = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']);

/** Keywords that stand for each other and move together. */
const conditional: readonly string[] = ['if', 'then', 'else'];

/**
 * Merges the parts of an `allOf` into one schema, the last one being that in which the `allOf` stands. An object of several parts is closed only where all parts
 * with members are: `additionalProperties: false` of one part would refuse the members of the others, which no document means.
 */
export function mergeSchemas(parts: readonly JsonSchema[], note: Note): Mutable {
  const merged: Mutable = {};
  const rest: JsonSchema[] = [];
  for (const part of parts) for (const [key, value] of Object.entries(part)) mergeKeyword(merged, key, value, rest, note);
  const extra = extraMembers(parts);
  if (extra === undefined) delete merged['additionalProperties'];
  else merged['additionalProperties'] = extra;
  delete merged['unevaluatedProperties'];
  const unevaluated = parts.at(-1)?.['unevaluatedProperties'];
  // Beside members of all parts, `unevaluatedProperties` is `additionalProperties`.
  if (unevaluated !== undefined && merged['additionalProperties'] === undefined) merged['unevaluatedProperties'] = unevaluated;
  const own = Array.isArray(merged['allOf']) ? merged['allOf'] : [];
  if (own.length + rest.length > 0) merged['allOf'] = [...own, ...rest];
  return merged;
}

function mergeKeyword(merged: Mutable, key: string, value: unknown, rest: JsonSchema[], note: Note): void {
  const before = merged[key];
  if (before === undefined || annotations.has(key)) merged[key] = value;
  else if (before === value || isDeepStrictEqual(before, value)) return;
  else if (key === 'properties' || key === 'patternProperties') merged[key] = mergeMembers(before as JsonSchema, value as JsonSchema, note);
  else if (key === 'required') merged[key] = [...new Set([...(before as string[]), ...(value as string[])])];
  else if (key === 'allOf') merged[key] = [...(before as unknown[]), ...(value as unknown[])];
  else if (key === 'type') mergeTypes(merged, value, note);
  else if (key === 'enum') merged[key] = commonValues(before as readonly unknown[], value as readonly unknown[], note);
  else if (lower.has(key)) merged[key] = Math.max(before as number, value as number);
  else if (upper.has(key)) merged[key] = Math.min(before as number, value as number);
  else if (key === 'additionalProperties' || key === 'unevaluatedProperties') return;
  else if (conditional.includes(key)) note('a second condition ("if") of its parts is left out');
  else rest.push({ [key]: value });
}

/** Merges members of the same name. A reference beside another schema stays, as a part of an `allOf`. */
function mergeMembers(before: JsonSchema, more: JsonSchema, note: Note): JsonSchema {
  const members = new Map(Object.entries(before));
  for (const [name, member] of Object.entries(more)) {
    const known = members.get(name);
    members.set(name, known === undefined || known === true ? member : mergeMember(known, member, note));
  }
  return Object.fromEntries(members);
}

function mergeMember(before: unknown, member: unknown, note: Note): unknown {
  if (before === member || !isPlainObject(before) || !isPlainObject(member)) return member;
  const bare = Object.keys(member).every((key) => annotations.has(key));
  if (bare) return { ...before, ...member };
  if (Object.keys(before).every((key) => annotations.has(key))) return { ...before, ...member };
  if (before['$ref'] === undefined && member['$ref'] === undefined) return mergeSchemas([before, member], note);
  if (before['$ref'] === member['$ref']) return { ...before, ...member };
  return { allOf: [before, member] };
}

function mergeTypes(merged: Mutable, value: unknown, note: Note): void {
  const before = [merged['type']].flat() as readonly string[];
  const more = [value].flat() as readonly string[];
  const common = before.filter((type) => more.includes(type) || (type === 'integer' && more.includes('number')));
  if (before.includes('number') && !before.includes('integer') && more.includes('integer') && !more.includes('number'))
    common.push('integer');
  if (common.length === 0) {
    note(`its parts have the types ${before.join(' or ')} and ${more.join(' or ')}: any is accepted`);
    delete merged['type'];
  } else merged['type'] = common.length === 1 ? common[0] : common;
}

/** Returns the values of both enums. Where none is common, the part that comes later says it better. */
function commonValues(before: readonly unknown[], value: readonly unknown[], note: Note): readonly unknown[] {
  const common = before.filter((one) => value.some((other) => isDeepStrictEqual(one, other)));
  if (common.length > 0) return common;
  note('its parts have enums without a common value: the last one counts');
  return value;
}

/** Returns `additionalProperties` of a merged object; undefined for any. */
function extraMembers(parts: readonly JsonSchema[]): unknown {
  const objects = parts.filter((part) =>
    ['properties', 'additionalProperties', 'patternProperties'].some((key) => Object.hasOwn(part, key)),
  );
  const extras = objects.map((part) => part['additionalProperties'] ?? (part['unevaluatedProperties'] === false ? false : undefined));
  if (extras.length === 0) return undefined;
  if (extras.every((extra) => extra === false)) return false;
  const schemas = extras.filter(isPlainObject);
  return schemas.length === 1 && extras.length === 1 ? schemas[0] : undefined;
}
