import { checkValue, excerpt, type Issue, type JsonSchema } from '../../../kernel/index.ts';
import { badSchema } from './bad-schema.ts';
import { type LinkedSchema, linkSchemas } from './linked-schemas.ts';
import { excessivePattern } from './schema-patterns.ts';
import type { SchemaReference } from './schema-resources.ts';
import { vocabulariesOf, withoutKeywords } from './schema-vocabularies.ts';

/** The parameters that define the schema to check against. */
export interface SchemaParameters {
  readonly schema: JsonSchema | boolean;
  /** Schemas that `schema` and these themselves refer to, by address. */
  readonly schemas?: Readonly<Record<string, JsonSchema | boolean>>;
  /** False ignores `format`. @default true */
  readonly check_formats?: boolean;
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Returns the schema in the form that the validator takes, with the schemas that it refers to. Throws INVALID_PARAMETERS for an unusable one. */
export async function prepareSchema({ schema, schemas = {}, check_formats = true }: SchemaParameters): Promise<LinkedSchema> {
  await checkSchema(schema, 'schema');
  for (const [address, document] of Object.entries(schemas)) await checkSchema(document, `schemas.${address}`);
  const withEnabledKeywords = <Schema extends JsonSchema | boolean>(document: Schema, path: string): Schema => {
    const without = new Set([...disabledKeywords(document, schemas, path), ...(check_formats ? [] : ['format'])]);
    return withoutKeywords(document, without);
  };
  const documents = Object.entries(schemas).map(
    ([address, document]) => [address, withEnabledKeywords(document, `schemas.${address}`)] as const,
  );
  return linkSchemas(withEnabledKeywords(schema as JsonSchema, 'schema'), Object.fromEntries(documents), badSchema, unknownReference);
}

/** Returns the keywords that the schema's metaschema turns off, when `schemas` has that metaschema. */
function disabledKeywords(schema: JsonSchema | boolean, schemas: SchemaParameters['schemas'], path: string): ReadonlySet<string> {
  const named = typeof schema === 'object' ? schema['$schema'] : undefined;
  if (typeof named !== 'string') return new Set();
  const address = named.replace(/#$/, '');
  const isNamed = ([key, document]: readonly [string, JsonSchema | boolean]): boolean =>
    key === address || (typeof document === 'object' && document['$id'] === address);
  const metaschema = Object.entries(schemas ?? {}).find(isNamed)?.[1];
  const vocabularies = vocabulariesOf(metaschema);
  if ('without' in vocabularies) return vocabularies.without;
  throw badSchema(
    `${path}.$schema`,
    `names a metaschema that requires "${excerpt(vocabularies.unknown, 100)}", a vocabulary that is not known`,
  );
}

async function checkSchema(schema: JsonSchema | boolean, where: string): Promise<void> {
  const at = (path: string): string => (path === '' ? where : `${where}.${path}`);
  const excessive = excessivePattern(schema);
  if (excessive !== undefined) throw badSchema(at(excessive.path), `is a pattern ${excessive.excess}. Write a simpler one`);
  const { Meta } = await import('typebox/schema');
  const [issue] = checkValue(Meta[dialect], schema);
  if (issue !== undefined) throw badSchema(at(issue.path), `${issue.message}${adviceFor(issue)}`);
}

/** Returns a sentence about keywords that older drafts write in another way. Empty when there are none. */
function adviceFor({ path, message }: Issue): string {
  if (/(^|\.)items$/.test(path) && message.includes('received array')) return '. In draft 2020-12 a list of schemas is "prefixItems"';
  if (/exclusive(Min|Max)imum$/.test(path) && message.includes('boolean')) return '. In draft 2020-12 it is the limit itself';
  return '';
}

function unknownReference({ path, reference }: SchemaReference): Error {
  const problem = `refers to "${excerpt(reference, 100)}", which is not in this schema, and nothing is fetched`;
  const inside = 'Put what it refers to under $defs, and refer to it as "#/$defs/name"';
  return badSchema(
    path,
    `${problem}. ${reference.startsWith('#') ? inside : `Give it in schemas under that address. Or: ${inside.toLowerCase()}`}`,
  );
}
