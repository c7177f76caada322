import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import { SchemaResources, unnamedAddress } from './schema-resources.ts';

const prefix = 'https://json-schema.org/draft/2020-12/vocab/';

/** Keywords that may refuse a value, by vocabulary of JSON Schema 2020-12. Those of the core vocabulary always apply. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  core: [],
  applicator: [
    ...['additionalProperties', 'allOf', 'anyOf', 'contains', 'dependentSchemas', 'else', 'if', 'items', 'not', 'oneOf'],
    ...['patternProperties', 'prefixItems', 'properties', 'propertyNames', 'then'],
  ],
  unevaluated: ['unevaluatedItems', 'unevaluatedProperties'],
  validation: [
    ...['const', 'dependentRequired', 'enum', 'exclusiveMaximum', 'exclusiveMinimum', 'maxContains', 'maximum', 'maxItems', 'maxLength'],
    ...['maxProperties', 'minContains', 'minimum', 'minItems', 'minLength', 'minProperties', 'multipleOf', 'pattern', 'required', 'type'],
    'uniqueItems',
  ],
  'meta-data': [],
  // The caller of the tool decides about formats.
  'format-annotation': ['format'],
  'format-assertion': ['format'],
  content: [],
};

/** The keywords that a metaschema turns off (2020-12, Core 8.1.2), or a vocabulary that it requires and that is not supported. */
export type Vocabularies = { readonly without: ReadonlySet<string> } | { readonly unknown: string };

/** Reads `$vocabulary` of a metaschema. Without it all keywords apply. */
export function vocabulariesOf(metaschema: unknown): Vocabularies {
  const vocabularies = isPlainObject(metaschema) ? metaschema['$vocabulary'] : undefined;
  if (!isPlainObject(vocabularies)) return { without: new Set() };
  const uris = Object.keys(vocabularies);
  const names = uris.flatMap((uri) => (uri.startsWith(prefix) ? [uri.slice(prefix.length)] : []));
  const unknown = uris.find(
    (uri) => vocabularies[uri] === true && !(uri.startsWith(prefix) && Object.hasOwn(keywordsOf, uri.slice(prefix.length))),
  );
  if (unknown !== undefined) return { unknown };
  const counts = new Set(names.flatMap((name) => (Object.hasOwn(keywordsOf, name) ? (keywordsOf[name] ?? []) : [])));
  return {
    without: new Set(
      Object.values(keywordsOf)
        .flat()
        .filter((keyword) => !counts.has(keyword)),
    ),
  };
}

/** Returns a schema without some keywords, nested schemas included. */
export function withoutKeywords<Schema extends JsonSchema | boolean>(schema: Schema, keywords: ReadonlySet<string>): Schema {
  if (keywords.size === 0) return schema;
  const found = new SchemaResources();
  const copy = structuredClone(schema);
  found.add(copy, unnamedAddress, '');
  for (const node of found.nodes) for (const keyword of keywords) delete node[keyword];
  return copy;
}
