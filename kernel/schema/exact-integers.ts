import { excerpt } from '../errors.ts';
import { isPlainObject, type JsonSchema } from '../json/json.ts';
import { isUnsafeInteger } from '../json/read-json.ts';
import { mapSchema } from './map-schema.ts';

/** The integer and number types that accept an integer beyond ±(2^53−1) as a text of its digits: all, or only those with `format: int64`. */
export type ExactPaths = 'all' | 'int64';

/** Matches integers that a double may not represent exactly: 2^53 has 16 digits. */
export const digitsPattern = '^-?[1-9]\\d{15,}$';

/** Maximum number of digits. Arithmetic is slower than linear, and no service has ids of this length. */
const maxDigits = 1000;

/** OpenAPI formats that limit `type`, with their minimum and maximum. */
const formats: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

const listed: Readonly<Record<ExactPaths, WeakMap<object, JsonSchema>>> = { all: new WeakMap(), int64: new WeakMap() };
const checked: Readonly<Record<ExactPaths, WeakMap<object, JsonSchema>>> = { all: new WeakMap(), int64: new WeakMap() };

/**
 * Returns the schema in which integers may be texts of their digits: `type: integer` becomes `[integer, string]` with a pattern. Types that accept
 * any text stay unchanged. The same schema gives the same object.
 */
export function withExactIntegers(schema: JsonSchema, places: ExactPaths): JsonSchema {
  return mapShared(listed[places], schema, (node) => oneTextBranch(isExact(node, places) ? withText(node) : node));
}

/**
 * Returns the schema to check parameters with such a text, or with a rounded number: limits are compared exactly. Its findings have the keyword
 * `~refine`. A finding without a message is about the type, which is in `~types` of the node.
 */
export function exactSchema(schema: JsonSchema, places: ExactPaths): JsonSchema {
  return mapShared(checked[places], schema, (node) => oneTextBranch(withExactLimits(node, places)));
}

/** Applies `change` to every node of a schema. Equal `$defs` objects, which tools of a provider share, are changed once and stay one object. */
function mapShared(known: WeakMap<object, JsonSchema>, schema: JsonSchema, change: (node: JsonSchema) => JsonSchema): JsonSchema {
  return kept(known, schema, () => {
    const { $defs, ...rest } = schema;
    if (!isPlainObject($defs)) return mapSchema(schema, change);
    const root = mapSchema(rest, change);
    const entries = kept(known, $defs, () => mapSchema({ $defs }, change)['$defs'] as JsonSchema);
    return root === rest && entries === $defs ? schema : { ...root, $defs: entries };
  });
}

function kept(known: WeakMap<object, JsonSchema>, schema: JsonSchema, make: () => JsonSchema): JsonSchema {
  const made = known.get(schema) ?? make();
  known.set(schema, made);
  return made;
}

/** True for a schema node that accepts numbers and no text. */
export function isNumeric({ type }: JsonSchema): boolean {
  const types = [type].flat();
  return (types.includes('integer') || types.includes('number')) && !types.includes('string');
}

function isExact(node: JsonSchema, places: ExactPaths): boolean {
  return isNumeric(node) && (places === 'all' || node['format'] === 'int64');
}

function withText({ minLength: _, maxLength: __, ...node }: JsonSchema): JsonSchema {
  return { ...withDigits(node), type: [...[node['type']].flat(), 'string'], pattern: digitsPattern };
}

/** Adds the texts of digits of such integers to `const` and `enum`. */
function withDigits(node: JsonSchema): JsonSchema {
  const { enum: values, const: value } = node;
  const texts = (Array.isArray(values) ? values : []).filter(isRounded).map(digitsOf);
  const more = texts.length === 0 ? node : { ...node, enum: [...(values as unknown[]), ...texts] };
  if (!isRounded(value)) return more;
  const { const: _, ...rest } = more;
  return { ...rest, enum: [value, digitsOf(value)] };
}

/** Keeps a text of digits from matching two branches of `oneOf`, which allows only one. */
function oneTextBranch(node: JsonSchema): JsonSchema {
  const { oneOf, ...rest } = node;
  if (!Array.isArray(oneOf)) return node;
  const takesDigits = (branch: unknown): boolean => isPlainObject(branch) && (branch['pattern'] === digitsPattern || '~types' in branch);
  const takesText = (branch: unknown): boolean =>
    isPlainObject(branch) && !takesDigits(branch) && (branch['type'] === undefined || [branch['type']].flat().includes('string'));
  if (!oneOf.some(takesDigits) || !oneOf.some(takesText)) return node;
  if (rest['anyOf'] === undefined) return { ...rest, anyOf: oneOf };
  return { ...rest, allOf: [...(Array.isArray(rest['allOf']) ? rest['allOf'] : []), { anyOf: oneOf }] };
}

function withExactLimits(node: JsonSchema, places: ExactPaths): JsonSchema {
  const { type, pattern, minLength, maxLength, ...rest } = node;
  if (!isNumeric(node)) {
    const hasLimits = type === undefined && limits.some((name) => name in node);
    return hasLimits ? { ...node, '~refine': [{ check: (value: unknown) => problemOf(node, value) === '', error: told(node) }] } : node;
  }
  const types = [type].flat() as readonly string[];
  const expects = isExact(node, places) ? undefined : `${withoutInt64}${types.includes('number') ? inexact : ''}`;
  const check = (value: unknown): boolean =>
    typeof value === 'string'
      ? isUnsafeInteger(value) && expects === undefined && problemOf(node, value) === ''
      : !isRoundedInteger(value, types) && types.some((name) => isOfType(value, name));
  const error = (value: unknown): string => {
    if (isRoundedInteger(value, types)) return roundedIssue(value as number);
    if (typeof value !== 'string' || !isUnsafeInteger(value)) return '';
    return problemOf(node, value) === '' ? `${expects ?? ''}, received ${excerpt(value, 50)}` : told(node)(value);
  };
  return { ...withDigits(rest), '~types': types, '~refine': [{ check, error }] };
}

const withoutInt64 =
  'expected an integer from −(2^53−1) to 2^53−1, because what runs here rounds others (it takes them as texts where the parameter says `format: int64`)';

const inexact = '. With an exponent, such as 1e19, it need not be exact';

const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

function told(node: JsonSchema): (value: unknown) => string {
  return (value) => `${problemOf(node, value)}, received ${excerpt(String(value), 50)}`;
}

/** Returns the first violated limit of a node, in words; empty for a valid integer, and for a value that is no text of digits. */
function problemOf(node: JsonSchema, value: unknown): string {
  if (typeof value !== 'string' || !isUnsafeInteger(value)) return '';
  if (value.length > maxDigits) return `expected at most ${maxDigits} digits`;
  const digits = BigInt(value);
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: factor, format } = node;
  // JavaScript compares a bigint and a number exactly.
  if (typeof minimum === 'number' && digits < minimum) return `expected at least ${minimum}`;
  if (typeof maximum === 'number' && digits > maximum) return `expected at most ${maximum}`;
  if (typeof above === 'number' && digits <= above) return `expected more than ${above}`;
  if (typeof below === 'number' && digits >= below) return `expected less than ${below}`;
  if (typeof factor === 'number' && !isMultiple(digits, factor)) return `expected a multiple of ${factor}`;
  const range = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (range !== undefined && (digits < range[0] || digits > range[1])) return `expected an ${format}, ${range[0]} to ${range[1]}`;
  return '';
}

/** True for a multiple of the factor. A factor with a fraction counts as the decimal number that was written. */
function isMultiple(digits: bigint, factor: number): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(factor)) ?? [];
  if (whole === '') return false;
  const shift = Number(exponent) - fraction.length;
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(Math.max(shift, 0));
  return scaled !== 0n && (digits * 10n ** BigInt(Math.max(-shift, 0))) % scaled === 0n;
}

function isRoundedInteger(value: unknown, types: readonly string[]): boolean {
  return isRounded(value) && !types.includes('number');
}

/** True for a number that may be a rounded integer beyond ±(2^53−1). */
export function isRounded(value: unknown): value is number {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Returns the message for such a number. */
export function roundedIssue(value: number): string {
  return `is the integer ${value}, beyond 2^53, and was rounded before it came here. Give it as a text, with all its digits`;
}

function digitsOf(value: number): string {
  return BigInt(value).toString();
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isPlainObject(value);
    default:
      return typeof value === type;
  }
}
