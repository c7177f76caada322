import type { JsonSchema, Kernel } from '../../../kernel/index.ts';
import { draft07 } from './draft-07.ts';
import { when } from './when.ts';

type LinkOptions = Kernel['linkOptions'];

/** Returns the schema of tool definition files, with the keys and execution types of all plugins of a kernel. */
export function toolSchema({ keys, executionTypes }: LinkOptions): JsonSchema {
  const { properties, ...rest } = keys.toolSchema as unknown as { readonly properties: Readonly<Record<string, JsonSchema>> };
  const types = [...executionTypes.keys()].toSorted();
  return draft07({
    title: 'Tool definition',
    ...rest,
    properties: { ...properties, execution: executionSchema(properties['execution'] ?? {}, executionTypes) },
    allOf: [...keys.scopes].flatMap(([name, { on, executionTypes: its }]) => {
      if (on === 'provider' || its === undefined) return [];
      return when(withExecutionType(types.filter((type) => !its.includes(type))), { properties: { [name]: false } });
    }),
  });
}

/** Returns the schema of provider definition files. */
export function providerSchema({ keys }: LinkOptions): JsonSchema {
  return draft07({ title: 'Provider definition', ...keys.providerSchema });
}

/** Returns the schema of `execution`: the keys of every type, and for each type its own. */
function executionSchema(common: JsonSchema, types: LinkOptions['executionTypes']): JsonSchema {
  const properties = common['properties'] as Readonly<Record<string, JsonSchema>>;
  const known = Object.fromEntries(Object.keys(properties).map((key) => [key, true]));
  const byName = [...types].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...common,
    properties: { ...properties, type: { ...properties['type'], enum: byName.map(([name]) => name) } },
    allOf: byName.map(([name, { schema }]) => {
      const { properties: own, ...rest } = schema as JsonSchema & { readonly properties?: object };
      return when(isOneOf('type', [name]), { ...rest, properties: { ...known, ...own } });
    }),
  };
}

/** Matches definitions whose execution has one of these types. */
function withExecutionType(types: readonly string[]): JsonSchema {
  return { properties: { execution: isOneOf('type', types) }, required: ['execution'] };
}

function isOneOf(key: string, values: readonly string[]): JsonSchema {
  return { properties: { [key]: { enum: values } }, required: [key] };
}
