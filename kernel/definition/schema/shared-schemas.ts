import { canonicalJson } from '../../json/foreign-json.ts';
import { isPlainObject, type JsonSchema } from '../../json/json.ts';
import { digest } from './digest.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import { type SchemaClosure, SchemaGraph } from './schema-graph.ts';
import type { ToolDefinition } from './tool-definition.ts';

type Schemas = Readonly<Record<string, unknown>>;

const graphs = new WeakMap<Schemas, SchemaGraph>();

/** The `$defs` objects of closures without an issue. */
const sound = new WeakSet<object>();

/** Returns the definition with the `$defs` of its provider to which its schemas refer. Its own entries take precedence. */
export function withSharedSchemas(definition: ToolDefinition, provider: ProviderDefinition | undefined): ToolDefinition {
  const { input_schema: input, output_schema: output } = definition;
  const shared = input === undefined && output === undefined ? undefined : provider?.$defs;
  if (shared === undefined) return definition;
  const graph = graphOf(shared);
  return {
    ...definition,
    ...(input === undefined ? {} : { input_schema: completed(input, graph) }),
    ...(output === undefined ? {} : { output_schema: completed(output, graph) }),
  };
}

/** True for `$defs` that came from a provider as a whole and were checked there. */
export function isCheckedDefs($defs: unknown): boolean {
  return typeof $defs === 'object' && $defs !== null && sound.has($defs);
}

/**
 * Returns the hash of a definition as it was before `withSharedSchemas`. It changes with each shared schema that the definition reaches, without a
 * copy of them all. `isOrdered: false`: the order of members does not count.
 */
export function hashOfDefinition(definition: ToolDefinition, provider: ProviderDefinition | undefined, isOrdered: boolean): string {
  const own = isOrdered ? definition : canonicalJson(definition);
  const { input_schema: input, output_schema: output } = definition;
  const shared = input === undefined && output === undefined ? undefined : provider?.$defs;
  if (shared === undefined) return digest(own);
  const graph = graphOf(shared);
  const reached = [input, output].map((schema) => (schema === undefined ? undefined : closureOf(schema, graph)?.digest));
  return reached.every((one) => one === undefined) ? digest(own) : digest([own, reached]);
}

/** Returns the graph of these `$defs`; the same for the same object. */
export function graphOf(shared: Schemas): SchemaGraph {
  const known = graphs.get(shared) ?? new SchemaGraph(shared);
  graphs.set(shared, known);
  return known;
}

function completed(schema: JsonSchema, graph: SchemaGraph): JsonSchema {
  const closure = closureOf(schema, graph);
  if (closure === undefined) return schema;
  const own = ownDefs(schema);
  const isOwn = Object.keys(own).length > 0;
  if (!isOwn && closure.isSound) sound.add(closure.$defs);
  return { ...schema, $defs: isOwn ? { ...own, ...closure.$defs } : closure.$defs };
}

function closureOf(schema: JsonSchema, graph: SchemaGraph): SchemaClosure | undefined {
  return graph.closureOf(schema, ownDefs(schema));
}

function ownDefs(schema: JsonSchema): Schemas {
  return isPlainObject(schema['$defs']) ? schema['$defs'] : {};
}
