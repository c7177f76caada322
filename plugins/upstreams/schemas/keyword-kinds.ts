import { describeValue, isPlainObject } from '../../../kernel/index.ts';

export type KeywordKind = keyof typeof kinds;

const types: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isPlainObject(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The kinds of values of keywords. */
const kinds = {
  schema: isSchema,
  schemas: (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  'schemas by name': (value: unknown): boolean => isPlainObject(value),
  text: (value: unknown): boolean => typeof value === 'string',
  texts: isTexts,
  'texts by name': (value: unknown): boolean => isPlainObject(value) && Object.values(value).every(isTexts),
  number: (value: unknown): boolean => Number.isFinite(value),
  'positive number': (value: unknown): boolean => Number.isFinite(value) && (value as number) > 0,
  count: (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0,
  boolean: (value: unknown): boolean => typeof value === 'boolean',
  list: (value: unknown): boolean => Array.isArray(value),
  type: (value: unknown): boolean => {
    const names: readonly unknown[] = Array.isArray(value) ? value : [value];
    return names.length > 0 && names.every((name) => types.includes(name));
  },
  any: (): boolean => true,
};

/** The keywords of JSON Schema 2020-12 that a kernel takes. References, anchors and `$id` are resolved before. */
const keywords: ReadonlyMap<string, KeywordKind> = new Map([
  ...each('schema', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'items', 'unevaluatedItems', 'contains', 'not'),
  ...each('schema', 'if', 'then', 'else', 'contentSchema'),
  ...each('schemas', 'prefixItems', 'allOf', 'anyOf', 'oneOf'),
  ...each('schemas by name', '$defs', 'properties', 'patternProperties', 'dependentSchemas'),
  ...each('text', 'pattern', 'format', 'title', 'description', '$comment', '$schema', 'contentEncoding', 'contentMediaType'),
  ...each('texts', 'required'),
  ...each('texts by name', 'dependentRequired'),
  ...each('number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...each('positive number', 'multipleOf'),
  ...each('count', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains'),
  ...each('boolean', 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly'),
  ...each('list', 'enum', 'examples'),
  ...each('type', 'type'),
  ...each('any', 'const', 'default'),
]);

function each(kind: KeywordKind, ...names: readonly string[]): readonly (readonly [string, KeywordKind])[] {
  return names.map((name) => [name, kind] as const);
}

/** Returns the kind of a keyword's value; undefined for one that JSON Schema 2020-12 does not have. */
export function kindOf(keyword: string): KeywordKind | undefined {
  return keywords.get(keyword);
}

/** Returns why a value does not fit its keyword; undefined for one that fits. */
export function valueIssue(kind: KeywordKind, value: unknown): string | undefined {
  return kinds[kind](value) ? undefined : `expected ${kind === 'type' ? 'types of JSON Schema' : kind}, received ${describeValue(value)}`;
}
