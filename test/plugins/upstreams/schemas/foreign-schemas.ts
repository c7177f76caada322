/** A schema as servers have it, with the class of Ajv that knows its draft. */
export interface ForeignSchema {
  readonly what: string;
  readonly draft: 4 | 7 | 2019 | 2020;
  readonly schema: Record<string, unknown>;
  /** Notes that must be there; an empty list for a schema that stays as it is. */
  readonly notes: readonly RegExp[];
  /** True where a note says that the verdict may differ. @default false */
  readonly differs?: boolean;
}

const uri = {
  4: 'http://json-schema.org/draft-04/schema#',
  7: 'http://json-schema.org/draft-07/schema#',
  2019: 'https://json-schema.org/draft/2019-09/schema',
  2020: 'https://json-schema.org/draft/2020-12/schema',
} as const;

const text = { type: 'string' };
const integer = { type: 'integer' };

export const foreignSchemas: readonly ForeignSchema[] = [
  {
    what: 'a plain one of 2020-12',
    draft: 2020,
    schema: { $schema: uri[2020], type: 'object', properties: { a: text, b: integer }, required: ['a'], additionalProperties: false },
    notes: [],
  },
  {
    what: 'a plain one of draft-07, as zod writes it',
    draft: 7,
    schema: { type: 'object', properties: { a: { type: 'number', minimum: 1 } }, required: ['a'], $schema: uri[7] },
    notes: [],
  },
  {
    what: 'one without a type',
    draft: 2020,
    schema: { properties: { a: text }, required: ['a'] },
    notes: [/names no type/],
  },
  {
    what: 'one of two types',
    draft: 2020,
    schema: { type: ['object', 'null'], properties: { a: integer } },
    notes: [/only an object is taken/],
  },
  {
    what: 'definitions of draft-07, in a circle',
    draft: 7,
    schema: {
      $schema: uri[7],
      type: 'object',
      properties: { a: { $ref: '#/definitions/list' }, b: { $ref: '#/properties/a' } },
      definitions: { list: { type: 'object', properties: { a: integer, b: { $ref: '#/definitions/list' } }, required: ['a'] } },
    },
    notes: [/"definitions" are "\$defs"/],
  },
  {
    what: 'a draft-04 schema with ids and exclusive limits',
    draft: 4,
    schema: {
      $schema: uri[4],
      id: 'http://example.test/root.json',
      type: 'object',
      properties: {
        a: { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
        b: { $ref: 'http://example.test/root.json#/definitions/c' },
      },
      definitions: { c: { type: 'integer', maximum: 3, exclusiveMaximum: true } },
    },
    notes: [/"exclusiveMinimum" is a number/, /"id" is left out/],
  },
  {
    what: 'dependencies of both kinds',
    draft: 7,
    schema: {
      $schema: uri[7],
      type: 'object',
      properties: { a: true, b: true, c: true },
      dependencies: { a: ['b'], b: { required: ['c'] }, c: false },
    },
    notes: [/"dependencies" are/],
  },
  {
    what: 'a list of items with others refused',
    draft: 7,
    schema: { $schema: uri[7], type: 'object', properties: { a: { type: 'array', items: [text, integer], additionalItems: false } } },
    notes: [/a list of "items"/],
  },
  {
    what: 'a list of items with other ones of 2019-09',
    draft: 2019,
    schema: {
      $schema: uri[2019],
      type: 'object',
      properties: { a: { items: [integer], additionalItems: text }, b: { items: [true], additionalItems: integer } },
    },
    notes: [/a list of "items"/],
  },
  {
    what: 'additional items without a list, which have no effect',
    draft: 7,
    schema: { $schema: uri[7], type: 'object', properties: { a: { items: integer, additionalItems: false } } },
    notes: [],
  },
  {
    what: 'a reference into a list of items',
    draft: 7,
    schema: { $schema: uri[7], type: 'object', properties: { a: { items: [integer] }, b: { $ref: '#/properties/a/items/0' } } },
    notes: [/a list of "items"/],
  },
  {
    what: 'a recursive reference',
    draft: 2019,
    schema: { $schema: uri[2019], type: 'object', properties: { a: integer, b: { $recursiveRef: '#' } }, additionalProperties: false },
    notes: [/"\$recursiveRef" is read as "\$ref"/],
  },
  {
    what: 'a dynamic reference',
    draft: 2020,
    schema: {
      $schema: uri[2020],
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { a: integer, b: { $dynamicRef: '#node' } },
      additionalProperties: false,
    },
    notes: [/"\$dynamicRef" is read as "\$ref"/],
  },
  {
    what: 'anchors and addresses inside',
    draft: 2020,
    schema: {
      $id: 'https://example.test/a',
      type: 'object',
      properties: { a: { $ref: '#whole' }, b: { $ref: 'b#/$defs/c' }, c: { $ref: 'b' } },
      $defs: { whole: { $anchor: 'whole', ...integer }, inner: { $id: 'b', ...text, $defs: { c: { type: 'boolean' } } } },
    },
    notes: [/"\$id" is left out/],
  },
  {
    what: 'an anchor of draft-07',
    draft: 7,
    schema: { $schema: uri[7], type: 'object', properties: { a: { $ref: '#x' } }, definitions: { y: { $id: '#x', ...integer } } },
    notes: [/"\$id" is left out/],
  },
  {
    what: 'a reference to a place with characters to escape, that no keyword has',
    draft: 2020,
    schema: {
      type: 'object',
      properties: { 'a b/c%~': integer, a: { $ref: '#/properties/a%20b~1c%25~0' }, b: { $ref: '#/x-parts/0' } },
      'x-parts': [text],
    },
    notes: [],
  },
  {
    what: 'a reference to a boolean',
    draft: 2020,
    schema: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/none' }, b: { $ref: '#/$defs/all', type: 'integer' } },
      $defs: { none: false, all: true },
    },
    notes: [],
  },
  {
    what: 'keywords beside a reference',
    draft: 7,
    schema: { $schema: uri[7], type: 'object', properties: { a: { $ref: '#/properties/b', minimum: 3, description: 'more' }, b: integer } },
    notes: [],
  },
  {
    what: 'boolean schemas',
    draft: 7,
    schema: { $schema: uri[7], type: 'object', properties: { a: true, b: false }, additionalProperties: { not: true } },
    notes: [],
  },
  {
    what: 'a nullable member, as Ajv reads it',
    draft: 7,
    schema: { type: 'object', properties: { a: { type: 'string', nullable: true }, b: { type: 'integer', nullable: false } } },
    notes: [/"nullable" is the type "null"/],
  },
  {
    what: 'a pattern of another dialect',
    draft: 7,
    schema: { type: 'object', properties: { a: { type: 'string', pattern: '(?i)^a' } } },
    notes: [/its pattern string "\(\?i\)\^a" is left out/],
    differs: true,
  },
  {
    what: 'a pattern that takes long',
    draft: 7,
    schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
    notes: [/may take very long/],
    differs: true,
  },
  {
    what: 'a pattern for names that cannot be checked, where others are refused',
    draft: 7,
    schema: { type: 'object', patternProperties: { '(?i)^a': integer }, additionalProperties: false },
    notes: [/is left out/],
    differs: true,
  },
  {
    what: 'patterns for names',
    draft: 7,
    schema: { type: 'object', patternProperties: { '^a': integer, b$: text }, additionalProperties: false },
    notes: [],
  },
  {
    what: 'unions, conditions and exclusions',
    draft: 7,
    schema: {
      $schema: uri[7],
      type: 'object',
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
      then: { required: ['c'] },
      else: { not: { required: ['c'] } },
      allOf: [{ propertyNames: { maxLength: 1 } }],
    },
    notes: [],
  },
  {
    what: 'what is not evaluated elsewhere',
    draft: 2020,
    schema: {
      type: 'object',
      allOf: [{ properties: { a: integer } }],
      anyOf: [{ properties: { b: text } }, true],
      unevaluatedProperties: false,
    },
    notes: [],
  },
  {
    what: 'lists of 2020-12',
    draft: 2020,
    schema: {
      type: 'object',
      properties: {
        a: { prefixItems: [integer], items: false },
        b: { contains: integer, minContains: 1, maxContains: 2 },
        c: { type: 'array', uniqueItems: true, minItems: 1 },
      },
      dependentRequired: { a: ['b'] },
      dependentSchemas: { b: { required: ['c'] } },
    },
    notes: [],
  },
  {
    what: 'a member with the name of a prototype',
    draft: 2020,
    // Own text: a literal would set the prototype.
    schema: {
      type: 'object',
      properties: JSON.parse('{"__proto__": {"type": "integer"}, "constructor": {"type": "integer"}, "a": {"type": "string"}}'),
    },
    notes: [/"__proto__" of "properties" is left out/],
  },
  {
    what: 'keywords of other languages',
    draft: 7,
    schema: { type: 'object', properties: { a: { type: 'string', discriminator: 1, auth: true, path: 'read', 'x-order': 3 } }, xml: null },
    notes: [/"auth" is left out: JSON Schema has no such keyword/, /"path" is left out/, /"xml" is left out/],
  },
  {
    what: 'enums, constants and limits',
    draft: 7,
    schema: {
      type: 'object',
      properties: { a: { enum: ['a', 1, null] }, b: { const: { a: 1 } }, c: { type: 'string', minLength: 1, maxLength: 2 } },
      minProperties: 1,
      maxProperties: 2,
    },
    notes: [],
  },
];
