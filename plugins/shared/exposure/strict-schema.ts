import { isPlainObject, type JsonSchema, pointerSegments } from '../../../kernel/index.ts';
import { hasLookaround, openaiStrict, strictFormats, strictKeywords } from './profiles/openai-strict.ts';
import { collectInput, refusalsBy } from './profiles/profile.ts';

/** A part of a schema that strict mode cannot express: JSON pointer (RFC 6901) and reason. */
export interface OpenPart {
  readonly pointer: string;
  readonly reason: string;
}

export type StrictSchema = { readonly schema: JsonSchema } | { readonly open: readonly OpenPart[] };

/**
 * Converts an input schema to OpenAI's strict mode, in which a model can give nothing else. Every member is required; optional members may
 * be null, which `withoutStrictNulls` removes again. Limits that strict mode does not know are left out; calls are checked against the
 * original schema. Returns `open` when a part allows free values, or the schema is too large.
 */
export function toStrictSchema(schema: JsonSchema): StrictSchema {
  const open: OpenPart[] = [];
  const strict = convert(schema, '', open);
  if (open.length === 0)
    for (const { pointer, message } of refusalsBy(openaiStrict, collectInput({ name: '', inputSchema: strict })))
      open.push({ pointer: pointer.replace('/inputSchema', ''), reason: message });
  return open.length === 0 ? { schema: strict } : { open };
}

function convert(schema: unknown, pointer: string, open: OpenPart[]): JsonSchema {
  const reason = reasonToStay(schema);
  if (reason !== undefined || !isPlainObject(schema)) {
    open.push({ pointer, reason: reason ?? 'any value' });
    return {};
  }
  const { $ref: reference, type, properties = {}, required = [], items, anyOf, $defs } = schema;
  const inner = (path: string, part: unknown): JsonSchema => convert(part, `${pointer}/${path}`, open);
  const byName = (keyword: string, parts: object): [string, JsonSchema][] =>
    Object.entries(parts).map(([name, part]) => [name, inner(`${keyword}/${escaped(name)}`, part)]);
  const definitions = isPlainObject($defs) ? { $defs: Object.fromEntries(byName('$defs', $defs)) } : {};
  // Strict mode accepts nothing beside a reference.
  if (typeof reference === 'string') return { $ref: reference, ...definitions };
  const kept = Object.entries(schema).filter(([key, value]) => isKept(key, value));
  const optional = (name: string): boolean => !(required as readonly unknown[]).includes(name);
  const members = byName('properties', properties as object).map(([name, member]): [string, JsonSchema] => {
    const { default: byDefault } = (properties as Readonly<Record<string, JsonSchema>>)[name] ?? {};
    return [name, optional(name) ? nullable(member, byDefault) : member];
  });
  return {
    ...Object.fromEntries(kept),
    ...(isType(type, 'object') ? { properties: Object.fromEntries(members), required: members.map(([name]) => name) } : {}),
    ...(isType(type, 'array') ? { items: inner('items', items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: partsOf(anyOf, pointer, open) } : {}),
    ...definitions,
  };
}

/** Converts the parts of a union. When some stay open, reports the union once. */
function partsOf(parts: readonly unknown[], pointer: string, open: OpenPart[]): readonly JsonSchema[] {
  const inside: OpenPart[] = [];
  const strict = parts.map((part) => convert(part, pointer, inside));
  const [first] = inside;
  if (first !== undefined) open.push({ pointer, reason: first.reason });
  return strict;
}

/** Keywords that combine other schemas. Strict mode knows none of them. */
const combining = ['oneOf', 'allOf', 'not', 'if', 'patternProperties', 'prefixItems', 'dependentRequired', 'dependentSchemas'];

function reasonToStay(schema: unknown): string | undefined {
  if (!isPlainObject(schema)) return 'any value';
  const key = combining.find((name) => Object.hasOwn(schema, name));
  if (key !== undefined) return `"${key}"`;
  const { type, anyOf, $ref: reference, additionalProperties } = schema;
  if (type === undefined && anyOf === undefined && reference === undefined) return 'any value';
  return isType(type, 'object') && additionalProperties !== false ? 'members of any name' : undefined;
}

function isKept(key: string, value: unknown): boolean {
  if (key === 'format') return strictFormats.includes(value as string);
  if (key === 'pattern') return !hasLookaround(String(value));
  return strictKeywords.has(key);
}

function nullable({ description, ...schema }: JsonSchema, byDefault: unknown): JsonSchema {
  const said = byDefault === undefined ? [] : [`Null means ${JSON.stringify(byDefault)}.`];
  const text = [...(typeof description === 'string' ? [description] : []), ...said].join(' ');
  return { ...withNull(schema), ...(text === '' ? {} : { description: text }) };
}

function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf))
    return { ...schema, anyOf: anyOf.some((part) => isType(part.type, 'null')) ? anyOf : [...anyOf, { type: 'null' }] };
  if (isType(type, 'null')) return schema;
  if (type === undefined || Object.hasOwn(schema, 'const')) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [...[type].flat(), 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function isType(type: unknown, name: string): boolean {
  return [type].flat().includes(name);
}

/**
 * Removes the nulls that mean "not given" from parameters that a model gave in strict mode. `schema`: the schema before it was made
 * strict. A null that it accepts itself is a value and stays.
 */
export function withoutStrictNulls(schema: JsonSchema, value: unknown): unknown {
  return removeNulls(schema, value, schema);
}

function removeNulls(given: unknown, value: unknown, root: JsonSchema): unknown {
  const schema = resolved(given, root);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(schema['anyOf'])) {
    const kind = Array.isArray(value) ? 'array' : 'object';
    const parts = schema['anyOf'].map((part) => resolved(part, root)).filter((part) => isType(part['type'], kind));
    const meant = parts.find((part) => Object.keys(value).every((name) => kind === 'array' || Object.hasOwn(membersOf(part), name)));
    return removeNulls(meant ?? {}, value, root);
  }
  if (Array.isArray(value)) return value.map((item) => removeNulls(schema['items'], item, root));
  const members = membersOf(schema);
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const isNothing = (name: string, member: unknown): boolean =>
    member === null && Object.hasOwn(members, name) && !required.includes(name) && !takesNull(members[name], root);
  const kept = Object.entries(value).filter(([name, member]) => !isNothing(name, member));
  return Object.fromEntries(kept.map(([name, member]) => [name, removeNulls(members[name], member, root)]));
}

function takesNull(given: unknown, root: JsonSchema): boolean {
  const { type, anyOf } = resolved(given, root);
  return isType(type, 'null') || (Array.isArray(anyOf) && anyOf.some((part) => takesNull(part, root)));
}

function membersOf({ properties }: JsonSchema): JsonSchema {
  return isPlainObject(properties) ? properties : {};
}

/** Resolves the reference of a schema, one level deep. */
function resolved(schema: unknown, root: JsonSchema): JsonSchema {
  if (!isPlainObject(schema)) return {};
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return schema;
  const target = pointerSegments(reference.slice(1)).reduce<unknown>((place, name) => (place as JsonSchema | undefined)?.[name], root);
  return isPlainObject(target) && target['$ref'] === undefined ? target : {};
}

/** Escapes a segment of a JSON pointer (RFC 6901, 3). */
function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
