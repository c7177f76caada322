/** Keywords of JSON Schema 2020-12 that hold schemas, by the way in which they hold them. */
export const subschemaKeywords = {
  /** One schema. */
  single: new Set([
    'items',
    'additionalProperties',
    'unevaluatedProperties',
    'unevaluatedItems',
    'propertyNames',
    'contains',
    'not',
    'if',
    'then',
    'else',
    'contentSchema',
  ]),
  /** A list of schemas. `items` has one in older drafts. */
  lists: new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']),
  /** Schemas by name. */
  named: new Set(['properties', 'patternProperties', 'dependentSchemas']),
  /** Schemas by name that apply only where something refers to them. `definitions` stands in older drafts. */
  definitions: new Set(['$defs', 'definitions']),
} as const satisfies Readonly<Record<string, ReadonlySet<string>>>;
