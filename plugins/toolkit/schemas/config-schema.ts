import { isPlainObject, type JsonSchema, type Plugin } from '../../../kernel/index.ts';
import { ConfigSchema } from '../config/load-config.ts';
import { StandardOptionsSchema } from '../standard.ts';
import { draft07 } from './draft-07.ts';
import { when } from './when.ts';

/** Modules of built-in plugins, by folder name. */
export type PluginModules = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Returns the schema of a configuration in YAML or JSON, with the options of built-in plugins. */
export function configSchema(modules: PluginModules): JsonSchema {
  const builtIn = [
    { part: 'standard', options: StandardOptionsSchema as unknown as JsonSchema },
    ...Object.entries(modules).map(([folder, module]) => ({ part: `plugins/${folder}`, options: optionsOf(module) })),
  ];
  const names = builtIn.flatMap(({ part }) => namesOf(part));
  // Any other name is a module of the project.
  const name = { anyOf: [{ enum: names }, { type: 'string', minLength: 1, pattern: '^(?!(@toolkit/core|toolkit)/(standard$|plugins/))' }] };
  const { properties, ...rest } = ConfigSchema as unknown as { readonly properties: Readonly<Record<string, JsonSchema>> };
  return draft07({
    title: 'Configuration',
    ...rest,
    properties: {
      ...properties,
      plugins: {
        ...properties['plugins'],
        items: when({ type: 'string' }, name, {
          type: 'array',
          allOf: builtIn.map(({ part, options }) => withOptions(namesOf(part), options)),
        }),
      },
    },
  });
}

/** Returns the schema of the options in `[name, options]`. Any other list is a preset. */
function withOptions(names: readonly string[], options: JsonSchema): JsonSchema {
  return when({ items: [{ enum: names }, { type: 'object' }], minItems: 2, maxItems: 2 }, { items: [true, options] });
}

function namesOf(part: string): readonly string[] {
  return [`toolkit/${part}`, `@toolkit/core/${part}`];
}

/** Returns the options schema of the plugin that a module exports: by default, or as its only function. */
function optionsOf(module: Readonly<Record<string, unknown>>): JsonSchema {
  const factories = Object.values(module).filter((value) => typeof value === 'function') as (() => unknown)[];
  const plugin = factories.length === 1 ? factories[0]?.() : undefined;
  const schema = isPlainObject(plugin) ? (plugin as unknown as Plugin).optionsSchema : undefined;
  return (schema as JsonSchema | undefined) ?? { type: 'object', additionalProperties: false };
}
