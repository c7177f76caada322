import { describeValue, isPlainObject, type JsonSchema, valueExcess } from '../../../kernel/index.ts';
import { SchemaConversion } from './schema-conversion.ts';
import { draftOf } from './schema-draft.ts';
import { SchemaNotes } from './schema-notes.ts';
import { SchemaRefusal } from './schema-refusal.ts';
import { type Node, SchemaResources, subschemasOf } from './schema-resources.ts';
import { refuseEndlessWork } from './value-work.ts';

/** A schema that a kernel takes, with a note for each change; or the reason why there is none. */
export type NormalizedSchema =
  | { readonly schema: JsonSchema; readonly notes: readonly string[]; readonly refusal?: undefined }
  /** Continues a sentence that begins with the schema: `refers to "https://…", which is outside of it`. */
  | { readonly refusal: string; readonly schema?: undefined };

/**
 * Returns the input schema of a foreign tool as JSON Schema 2020-12 that a kernel takes: an object, without keywords of older drafts, addresses, and
 * references to other documents. It accepts the same objects, except where a note says so. Takes time by the size of the schema.
 */
export function normalizeInputSchema(given: unknown): NormalizedSchema {
  if (given === undefined || given === null || given === true) {
    const notes = [`the input schema is ${describeValue(given)}, and takes any object`];
    return { schema: { type: 'object' }, notes };
  }
  return normalized(given, (schema, notes) => {
    const types = [schema['type']].flat();
    if (schema['type'] !== undefined && !types.includes('object')) throw new SchemaRefusal('takes no object, and arguments are one');
    if (schema['type'] === 'object') return schema;
    notes.add('', schema['type'] === undefined ? 'the input schema names no type, and is that of an object' : 'only an object is taken');
    return { type: 'object', ...without(schema, 'type') };
  });
}

/** Does the same for an output schema, which may describe any value (2026-07-28). */
export function normalizeOutputSchema(given: unknown): NormalizedSchema {
  if (typeof given === 'boolean') return { schema: given ? {} : { not: {} }, notes: [] };
  return normalized(given, (schema) => schema);
}

function normalized(given: unknown, finish: (schema: JsonSchema, notes: SchemaNotes) => JsonSchema): NormalizedSchema {
  if (!isPlainObject(given)) return { refusal: `is ${describeValue(given)}, expected an object with keywords` };
  try {
    refuseExcess(given);
    const notes = new SchemaNotes();
    const schema = finish(converted(given, notes), notes);
    refuseExcess(schema);
    return { schema, notes: notes.all };
  } catch (error) {
    if (error instanceof SchemaRefusal) return { refusal: error.message };
    throw error;
  }
}

function converted(given: Node, notes: SchemaNotes): JsonSchema {
  const draft = draftOf(given);
  const resources = new SchemaResources(given, draft === 'draft-04' || draft === undefined);
  const conversion = new SchemaConversion(resources, draft, notes, targetsIn(given, resources));
  const { schema, targets } = conversion.convert(given);
  conversion.openObjects();
  refuseEndlessWork(conversion.nodes, targets);
  const { $schema: address } = schema;
  // As long as nothing has changed, the schema says the same in its own draft.
  if (address === undefined || draft === '2020-12' || (draft !== undefined && notes.all.length === 0)) return schema;
  if (draft === undefined) notes.add('', 'its "$schema" is not known, and is left out');
  return without(schema, '$schema');
}

/** Returns all schemas to which references lead. */
function targetsIn(root: Node, resources: SchemaResources): ReadonlySet<Node> {
  const targets = new Set<Node>();
  const seen = new Set<Node>([root]);
  // The set grows while it is read.
  for (const node of seen) {
    for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = node[key];
      const target = typeof reference === 'string' ? resources.targetOf(node, reference) : undefined;
      if (!isPlainObject(target)) continue;
      targets.add(target);
      seen.add(target);
    }
    for (const child of subschemasOf(node)) seen.add(child);
  }
  return targets;
}

function refuseExcess(schema: Node): void {
  // As deep as it stands in a definition.
  const excess = valueExcess({ schema });
  if (excess !== undefined) throw new SchemaRefusal(`holds ${excess}`);
}

function without(schema: JsonSchema, key: string): JsonSchema {
  const { [key]: _left, ...rest } = schema;
  return rest;
}
