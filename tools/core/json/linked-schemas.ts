import type { JsonSchema, ReferencedSchemas } from '../../../kernel/index.ts';
import { builtInSchema } from './built-in-schemas.ts';
import { addressOf, idOf, type SchemaReference, SchemaResources, unnamedAddress } from './schema-resources.ts';

/** A schema with the other schemas that its references lead to. */
export interface LinkedSchema {
  readonly schema: JsonSchema;
  /** Absent when no reference leads to another resource. */
  readonly references?: ReferencedSchemas;
}

/** Builds the error for a path in the parameters, such as `schemas.common.json.$ref`. `problem` is the end of a sentence. */
type Refusal = (path: string, problem: string) => Error;

/**
 * Resolves the references of a schema: to its own parts, to the schemas given by address, or to a metaschema of JSON Schema. A relative
 * address is resolved against that of the schema. Every reference with more than a fragment becomes absolute, because the validator compares
 * the paths of addresses without their hosts. Throws the error of `refuse` for an invalid address and for a reference that leads nowhere.
 */
export async function linkSchemas(
  schema: JsonSchema,
  schemasByAddress: Readonly<Record<string, JsonSchema | boolean>>,
  refuse: Refusal,
  unknown: (reference: SchemaReference) => Error,
): Promise<LinkedSchema> {
  const found = new SchemaResources();
  // Copies: absolute references are written into them.
  const main = structuredClone(schema);
  const base = found.add(main, unnamedAddress, 'schema');
  const aliases = new Map<string, string>();
  for (const [key, document] of Object.entries(schemasByAddress)) {
    const address = addressOf(key, base);
    if (key === '' || address.includes('#')) throw refuse(`schemas.${key}`, addressProblem);
    const own = idOf(document, address);
    const duplicate = [address, own].find((known) => found.resources.has(known) || aliases.has(known));
    if (duplicate !== undefined) throw refuse(`schemas.${key}`, `has the address ${duplicate}, as another schema has. Leave one of them`);
    aliases.set(address, own);
    found.add(withId(structuredClone(document), address), address, `schemas.${key}`);
  }
  const targetOf = ({ reference, base: from }: SchemaReference): string => {
    const [resource = '', ...fragment] = addressOf(reference, from).split('#');
    return [aliases.get(resource) ?? resource, ...fragment].join('#');
  };
  // The list grows with the metaschemas that are added.
  for (const reference of found.references) {
    const [resource = ''] = targetOf(reference).split('#');
    const builtIn = found.resources.has(resource) ? undefined : await builtInSchema(resource);
    if (builtIn !== undefined) found.add(structuredClone(builtIn.schema), builtIn.address, builtIn.address);
    if (found.at(targetOf(reference)) === undefined) throw unknown(reference);
  }
  const outward = found.references.filter(({ reference }) => !reference.startsWith('#'));
  if (outward.length === 0) return { schema };
  const references = new Map([...found.resources].filter(([address]) => address !== unnamedAddress));
  for (const reference of outward) {
    const target = targetOf(reference);
    references.set(target, found.at(target));
    reference.node[reference.keyword] = target;
  }
  return { schema: main, references: Object.fromEntries(references) as ReferencedSchemas };
}

const addressProblem = 'needs an address of its own: a URI, or a path beside the schema, without a fragment';

/** Returns a schema with its address as `$id`, unless it has an `$id`. */
function withId(schema: JsonSchema | boolean, address: string): JsonSchema | boolean {
  return typeof schema === 'boolean' || typeof schema['$id'] === 'string' ? schema : { ...schema, $id: address };
}
