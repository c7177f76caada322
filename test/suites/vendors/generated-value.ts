import { isPlainObject, type JsonSchema, type JsonValue } from '../../../kernel/index.ts';
import { generatedText } from './generated-text.ts';

/** Choices for generated values. Every shape that a schema allows appears in some turn of some of these. */
export interface Shape {
  readonly members: 'all' | 'required';
  /** Number of items of a list. */
  readonly items: number;
  /** Null wherever that is allowed. */
  readonly nulls: boolean;
  /** Which of several values or branches is taken: the turn, and so on in a circle. */
  readonly turn: number;
}

/** How often a schema that contains itself is gone into. */
const maxRounds = 2;

/** Names of the definitions around a place. */
type Inside = readonly string[];

/** A value that fits a JSON Schema, always the same one for the same shape. `$ref` is looked up in the `$defs` of `root`. */
export function generatedValue(root: JsonSchema, shape: Shape): JsonValue {
  const $defs = (root['$defs'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  let made = 0;

  const make = (written: JsonSchema, inside: Inside): JsonValue => {
    const schema = isPlainObject(written) ? written : {};
    const name = referenceOf(schema);
    if (name !== undefined) return make($defs[name] ?? {}, [...inside, name]);
    if (Object.hasOwn(schema, 'const')) return schema['const'] as JsonValue;
    if (Array.isArray(schema['enum'])) return chosen(schema['enum'] as JsonValue[]);
    const branches = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(branches) && branches.some((branch) => !isOnlyRequired(branch))) {
      const branch = shape.nulls ? branches.find(isNull) : undefined;
      return make(branch ?? inTurn(branches.filter((other) => !isNull(other))), inside);
    }
    if (Array.isArray(schema['allOf'])) return Object.assign({}, ...schema['allOf'].map((part: JsonSchema) => make(part, inside)));
    return ofType(schema, typeOf(schema), inside);
  };

  const ofType = (schema: JsonSchema, type: string, inside: Inside): JsonValue => {
    made += 1;
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return (made + shape.turn) % 2 === 0;
      case 'integer':
        return within(schema, made + shape.turn);
      case 'number':
        return within(schema, made + shape.turn + 0.5);
      case 'array':
        return listOf(schema, inside);
      case 'object':
        return objectOf(schema, inside);
      default:
        return generatedText(schema, made + shape.turn);
    }
  };

  const listOf = (schema: JsonSchema, inside: Inside): JsonValue => {
    const {
      items = {},
      minItems = 0,
      maxItems = Number.POSITIVE_INFINITY,
    } = schema as { items?: JsonSchema; minItems?: number; maxItems?: number };
    const length = isEndless(items, inside) ? minItems : Math.min(maxItems, Math.max(minItems, shape.items));
    return Array.from({ length }, () => make(items, inside));
  };

  const objectOf = (schema: JsonSchema, inside: Inside): JsonValue => {
    const {
      properties = {},
      required = [],
      additionalProperties: more,
    } = schema as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
      additionalProperties?: unknown;
    };
    const isWhole = shape.members === 'all';
    const named = Object.entries(properties).filter(([name, member]) => required.includes(name) || (isWhole && !isEndless(member, inside)));
    const others = isWhole && (isPlainObject(more) || (more !== false && Object.keys(properties).length === 0)) ? ['alpha', 'beta'] : [];
    return Object.fromEntries([
      ...named.map(([name, member]) => [name, make(member, inside)] as const),
      ...others.map((name) => [name, make(isPlainObject(more) ? more : { type: 'string' }, inside)] as const),
    ]);
  };

  const typeOf = ({ type, properties, items }: JsonSchema): string => {
    const types = [type ?? (properties === undefined ? (items === undefined ? 'string' : 'array') : 'object')].flat() as string[];
    if (types.includes('null') && shape.nulls) return 'null';
    return inTurn(types.filter((name) => name !== 'null'));
  };

  const chosen = (values: readonly JsonValue[]): JsonValue =>
    shape.nulls && values.includes(null) ? null : inTurn(values.filter((value) => value !== null));

  function inTurn<T>(choices: readonly T[]): T {
    return choices[shape.turn % choices.length] as T;
  }

  return make(root, []);
}

function referenceOf({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
}

function isEndless(schema: JsonSchema, inside: Inside): boolean {
  const name = referenceOf(schema);
  return name !== undefined && inside.filter((other) => other === name).length >= maxRounds;
}

function within({ minimum, maximum }: JsonSchema, number: number): number {
  if (typeof maximum === 'number' && number > maximum) return maximum;
  return typeof minimum === 'number' && number < minimum ? minimum : number;
}

function isNull(schema: unknown): boolean {
  return isPlainObject(schema) && schema['type'] === 'null';
}

/** A branch such as `{required: [state]}` says only which members go together. */
function isOnlyRequired(schema: unknown): boolean {
  return isPlainObject(schema) && Object.keys(schema).every((key) => key === 'required');
}

/** Returns the number of turns that show every value of an enum and every branch. */
export function turnsOf(schema: unknown): number {
  if (Array.isArray(schema)) return Math.max(1, ...schema.map(turnsOf));
  if (!isPlainObject(schema)) return 1;
  const own = ['enum', 'anyOf', 'oneOf'].map((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]).length : 1));
  return Math.max(...own, ...Object.values(schema).map(turnsOf));
}
