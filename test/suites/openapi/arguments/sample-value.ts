import { isPlainObject, type JsonSchema } from '../../../../kernel/index.ts';
import type { Random } from '../../../support/random.ts';
import { nastyText, type TextPlace } from './nasty-texts.ts';
import { patternText } from './pattern-text.ts';

export interface SampleOptions {
  readonly random: Random;
  /** The part of the request that gets texts of this value. */
  readonly place: TextPlace;
  /** Schemas to which `#/$defs/<name>` refers. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/** Integers of 64 bits that a double rounds. They are given as texts. */
export const longIntegers: readonly string[] = ['9007199254740993', '-9223372036854775807', '1915883588174806058'];

/** Levels of objects and lists; deeper, only what is required is there. */
const maxDepth = 4;

/** Levels at which a schema that requires itself ends. */
const endDepth = 24;

/** Returns a value of a JSON Schema. It fits nearly always: the caller checks it, and takes another one otherwise. */
export function sampleValue(schema: unknown, options: SampleOptions, depth = 0): unknown {
  if (!isPlainObject(schema) || depth > endDepth)
    return schema === false || depth > endDepth ? null : nastyText(options.random, options.place);
  const { random } = options;
  const written = schema as JsonSchema;
  if (Object.hasOwn(written, 'const')) return written['const'];
  if (Array.isArray(written['enum']) && written['enum'].length > 0) return random.oneOf(written['enum']);
  const target = referred(written['$ref'], options);
  if (target !== undefined) return sampleValue(merged([withoutKeys(written, ['$ref']), target]), options, depth + 1);
  if (Array.isArray(written['allOf'])) {
    const parts = written['allOf'].map((part) => resolved(part, options));
    return sampleValue(merged([withoutKeys(written, ['allOf']), ...parts]), options, depth + 1);
  }
  for (const key of ['anyOf', 'oneOf']) {
    const branches = written[key];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const shallow = branches.filter((branch) => !isPlainObject(branch) || branch['type'] !== 'null');
    const branch = random.oneOf(shallow.length === 0 ? branches : shallow);
    return sampleValue(merged([withoutKeys(written, [key]), resolved(branch, options)]), options, depth + 1);
  }
  return ofType(typeOf(written, random), written, options, depth);
}

function ofType(type: string, schema: JsonSchema, options: SampleOptions, depth: number): unknown {
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return options.random.chance(0.5);
    case 'integer':
      return sampleInteger(schema, options.random);
    case 'number':
      return sampleNumber(schema, options.random);
    case 'array':
      return sampleList(schema, options, depth);
    case 'object':
      return sampleObject(schema, options, depth);
    default:
      return sampleText(schema, options);
  }
}

function sampleList(schema: JsonSchema, options: SampleOptions, depth: number): unknown[] {
  const {
    minItems = 0,
    maxItems = 1_000,
    items,
    prefixItems,
    uniqueItems,
  } = schema as Record<string, unknown> & { minItems?: number; maxItems?: number };
  const wanted = depth > maxDepth ? minItems : options.random.oneOf([0, 1, 2, 3]);
  const length = Math.max(minItems, Math.min(maxItems, wanted));
  const prefix = Array.isArray(prefixItems) ? prefixItems : [];
  const list = Array.from({ length: Math.min(length, 200) }, (_, index) => sampleValue(prefix[index] ?? items, options, depth + 1));
  if (uniqueItems !== true) return list;
  const seen = new Set<string>();
  return list.filter((item) => !seen.has(JSON.stringify(item)) && seen.add(JSON.stringify(item)));
}

function sampleObject(schema: JsonSchema, options: SampleOptions, depth: number): Record<string, unknown> {
  const {
    properties,
    required = [],
    additionalProperties: more,
    minProperties = 0,
  } = schema as Record<string, unknown> & { required?: string[]; minProperties?: number };
  const members = isPlainObject(properties) ? properties : {};
  const names = Object.keys(members);
  const share = depth > maxDepth ? 0 : names.length > 12 ? 3 / names.length : 0.6;
  const chosen = names.filter((name) => required.includes(name) || options.random.chance(share));
  const entries = chosen.map((name): [string, unknown] => [name, sampleValue(members[name], options, depth + 1)]);
  const unnamed = required
    .filter((name) => !Object.hasOwn(members, name))
    .map((name): [string, unknown] => [name, sampleValue(more, options, depth + 1)]);
  const isOpen = more !== false && (names.length === 0 || isPlainObject(more)) && depth <= maxDepth;
  const extra = isOpen ? ['more', 'a b', 'größe'].slice(0, Math.max(minProperties, options.random.below(3))) : [];
  const added = extra.map((name): [string, unknown] => [name, sampleValue(more === true ? undefined : more, options, depth + 1)]);
  return Object.fromEntries([...entries, ...unnamed, ...added]);
}

function sampleInteger(schema: JsonSchema, random: Random): unknown {
  const isLong =
    schema['format'] === 'int64' &&
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].every((key) => schema[key] === undefined);
  if (isLong && random.chance(0.5)) return random.oneOf(longIntegers);
  return Math.round(sampleNumber({ ...schema, multipleOf: schema['multipleOf'] ?? 1 }, random));
}

function sampleNumber(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Record<string, unknown>,
  random: Random,
): number {
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 0.5;
  const low = typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + step : undefined;
  const high = typeof maximum === 'number' ? maximum : typeof exclusiveMaximum === 'number' ? exclusiveMaximum - step : undefined;
  const from = low ?? (high === undefined ? -3 : Math.min(0, high - 10 * step));
  const to = high ?? from + 40 * step;
  const first = Math.ceil(from / step);
  return Number((random.between(first, Math.max(first, Math.min(Math.floor(to / step), first + 50))) * step).toPrecision(12));
}

const byFormat: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-02-03T09:30:00Z', '2026-11-28T23:59:59.123+01:00'],
  date: ['2026-02-03'],
  time: ['09:30:00Z'],
  email: ['mona+test@example.com'],
  uri: ['https://example.com/a?b=c&d=%20#e'],
  'uri-reference': ['/a?b=c&d=%20#e'],
  url: ['https://example.com/a?b=c&d=%20#e'],
  uuid: ['c02fc1d3-db8b-45c5-a222-27595b150001'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  hostname: ['example.com'],
  byte: ['R3LDtsOfZQ=='],
  int64: ['1790000000123'],
  uint64: ['18446744073709551615'],
};

function sampleText(schema: JsonSchema, { random, place }: SampleOptions): string {
  const {
    format,
    pattern,
    minLength = 0,
    maxLength,
  } = schema as { format?: string; pattern?: string; minLength?: number; maxLength?: number };
  if (typeof pattern === 'string') {
    const text = patternText(pattern, random, minLength);
    if (text !== undefined) return text.slice(0, maxLength);
  }
  const known = format !== undefined && Object.hasOwn(byFormat, format) ? byFormat[format] : undefined;
  const fitting = (known ?? []).filter((text) => text.length >= minLength && text.length <= (maxLength ?? 1_000));
  if (fitting.length > 0) return random.oneOf(fitting);
  // Path values cannot be empty.
  return nastyText(random, place, Math.max(minLength, 1), maxLength);
}

function typeOf({ type, properties, items, additionalProperties, minimum, maximum }: JsonSchema, random: Random): string {
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null');
    return types.length === 0 ? 'null' : (random.oneOf(types) as string);
  }
  if (typeof type === 'string') return type;
  if (properties !== undefined || additionalProperties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  return minimum !== undefined || maximum !== undefined ? 'number' : 'string';
}

function referred(reference: unknown, { definitions }: SampleOptions): JsonSchema | undefined {
  if (typeof reference !== 'string') return undefined;
  const name = decodeURIComponent(reference.replace(/^#\/\$defs\//, ''))
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return Object.hasOwn(definitions, name) ? definitions[name] : {};
}

/** Follows references, so that parts can be merged. */
function resolved(part: unknown, options: SampleOptions, depth = 0): JsonSchema {
  if (!isPlainObject(part)) return {};
  const target = depth < 10 ? referred(part['$ref'], options) : undefined;
  const own = target === undefined ? part : merged([withoutKeys(part, ['$ref']), resolved(target, options, depth + 1)]);
  if (!Array.isArray(own['allOf'])) return own;
  return merged([withoutKeys(own, ['allOf']), ...own['allOf'].map((inner) => resolved(inner, options, depth + 1))]);
}

function merged(parts: readonly JsonSchema[]): JsonSchema {
  const result: Record<string, unknown> = {};
  for (const part of parts)
    for (const [key, value] of Object.entries(part)) {
      const before = result[key];
      if (key === 'required' && Array.isArray(before) && Array.isArray(value)) result[key] = [...new Set([...before, ...value])];
      else if (key === 'properties' && isPlainObject(before) && isPlainObject(value)) result[key] = { ...before, ...value };
      else if (key === 'additionalProperties' && before === false) continue;
      else result[key] = value;
    }
  return result;
}

function withoutKeys(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}
