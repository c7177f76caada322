import { isPlainObject, type JsonSchema } from '../schema/json.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import type { ToolDefinition } from './tool-definition.ts';

type Schemas = Readonly<Record<string, unknown>>;

/** Returns the definition with the `$defs` of its provider to which its schemas refer. Its own entries take precedence. */
export function withSharedSchemas(definition: ToolDefinition, provider: ProviderDefinition | undefined): ToolDefinition {
  const shared = provider?.$defs;
  if (shared === undefined) return definition;
  const { input_schema: input, output_schema: output } = definition;
  return {
    ...definition,
    ...(input === undefined ? {} : { input_schema: completed(input, shared) }),
    ...(output === undefined ? {} : { output_schema: completed(output, shared) }),
  };
}

function completed(schema: JsonSchema, shared: Schemas): JsonSchema {
  const own: Schemas = isPlainObject(schema['$defs']) ? schema['$defs'] : {};
  const added = new Map<string, unknown>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isPlainObject(node)) return;
    const name = referred(node['$ref']);
    if (name !== undefined && !Object.hasOwn(own, name) && !added.has(name) && Object.hasOwn(shared, name)) {
      added.set(name, shared[name]);
      visit(shared[name]);
    }
    Object.values(node).forEach(visit);
  };
  visit(schema);
  return added.size === 0 ? schema : { ...schema, $defs: { ...own, ...Object.fromEntries(added) } };
}

/** Returns the name in `#/$defs/name`, or in a pointer below it. */
function referred(reference: unknown): string | undefined {
  return typeof reference === 'string' ? /^#\/\$defs\/([^/]+)/.exec(reference)?.[1] : undefined;
}
