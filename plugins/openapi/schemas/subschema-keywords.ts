/** Keywords that hold one schema. */
export const single: ReadonlySet<string> = new Set([
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
]);

/** Keywords that hold a list of schemas. `items` does in documents of older drafts. */
export const listed: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);

/** Keywords that hold schemas by name. */
export const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);
