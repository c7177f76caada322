import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import { SchemaResources, unnamed } from './schema-resources.ts';

const prefix = 'https://json-schema.org/draft/2020-12/vocab/';

/** Keywords that may refuse a value, by the vocabularies of JSON Schema 2020-12. Those of core count in every schema. */
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
  // Formats are checked or not as the caller of the tool says.
  'format-annotation': ['format'],
  'format-assertion': ['format'],
  content: [],
};

/** The keywords that do not count by a metaschema (2020-12, Core 8.1.2), or the vocabulary that it requires and nobody knows here. */
export type Vocabularies = { readonly without: ReadonlySet<string> } | { readonly unknown: string };

/** Reads what a metaschema says in `$vocabulary`. Without it all keywords count. */
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

/** Returns a schema without some keywords, in the schemas inside of it too. */
export function withoutKeywords<Schema extends JsonSchema | boolean>(schema: Schema, keywords: ReadonlySet<string>): Schema {
  if (keywords.size === 0) return schema;
  const found = new SchemaResources();
  const copy = structuredClone(schema);
  found.add(copy, unnamed, '');
  for (const node of found.nodes) for (const keyword of keywords) delete node[keyword];
  return copy;
}
