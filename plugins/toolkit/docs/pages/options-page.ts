import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonSchema } from '../../../../kernel/index.ts';
import { code, page, prose } from '../markdown.ts';
import type { PublishedSchemas } from '../published-schemas.ts';
import { schemaTable } from '../schema-rows.ts';
import { sourceComments } from '../source-comments.ts';

/** Returns the page of all options: of the configuration, the preset and every built-in plugin. */
export async function optionsPage(root: string, { config }: PublishedSchemas): Promise<string> {
  const { plugins, ...properties } = config['properties'] as Readonly<Record<string, JsonSchema>>;
  const ofConfig = { ...config, properties: { plugins: { type: 'array', description: plugins?.['description'] }, ...properties } };
  const parts = await Promise.all(pluginOptions(plugins ?? {}).map((one) => pluginSection(root, one)));
  return page(
    '# Options',
    'The options of a configuration. In TypeScript a plugin is a function that takes its options, such as `mcp({ port: 0 })`; in YAML and JSON it is a name, such as `toolkit/plugins/mcp`, or a list of the name and its options. ' +
      'An unknown option is an error. Options that are functions (type `any`) can be given in code only.',
    '## Configuration',
    schemaTable(ofConfig),
    ...parts,
  );
}

interface PluginOptions {
  /** Name of the plugin in a configuration. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Returns the options of each built-in plugin, from the schema of `[name, options]` entries. */
function pluginOptions(plugins: JsonSchema): readonly PluginOptions[] {
  const { else: list } = plugins['items'] as { readonly else: { readonly allOf: readonly OptionsRule[] } };
  return list.allOf.map((rule) => ({ name: rule.if.items[0].enum[0] ?? '', schema: rule.then.items[1] }));
}

interface OptionsRule {
  readonly if: { readonly items: readonly [{ readonly enum: readonly string[] }] };
  readonly then: { readonly items: readonly [true, JsonSchema] };
}

async function pluginSection(root: string, { name, schema }: PluginOptions): Promise<string> {
  const rows = schemaTable(schema);
  return page(`## ${code(name)}`, prose(await descriptionOf(root, name)), rows === '' ? 'It has no options.' : rows);
}

/** Returns the doc comment of the plugin's factory, or of the preset. */
async function descriptionOf(root: string, name: string): Promise<string> {
  const folder = name.replace(/^toolkit\/(plugins\/)?/, '');
  const file = folder === 'standard' ? 'plugins/toolkit/standard.ts' : `plugins/${folder}/index.ts`;
  const factoryName = folder.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const declared = sourceComments(await readFile(path.join(root, file), 'utf8'), file);
  return declared.find((one) => one.name === factoryName)?.comment ?? '';
}
