import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonSchema } from '../../../../kernel/index.ts';
import { code, page, prose } from '../markdown.ts';
import type { PublishedSchemas } from '../published-schemas.ts';
import { schemaTable } from '../schema-rows.ts';
import { sourceComments } from '../source-comments.ts';

/** Options of the configuration, of the preset and of every built-in plugin. */
export async function optionsPage(root: string, { config }: PublishedSchemas): Promise<string> {
  const { plugins, ...properties } = config['properties'] as Readonly<Record<string, JsonSchema>>;
  const ofConfig = { ...config, properties: { plugins: { type: 'array', description: plugins?.['description'] }, ...properties } };
  const parts = await Promise.all(pluginOptions(plugins ?? {}).map((one) => pluginSection(root, one)));
  return page(
    '# Options',
    'What a configuration may say. In TypeScript a plugin is a function that takes its options, such as `mcp({ port: 0 })`; in YAML and JSON it is a name, such as `toolkit/plugins/mcp`, or a list of the name and its options. ' +
      'An unknown option is an error. Options whose type is `any` and that are functions can be given in code only.',
    '## Configuration',
    schemaTable(ofConfig),
    ...parts,
  );
}

interface PluginOptions {
  /** As a configuration names it. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Of the schema of the list of plugins: `[name, options]`, for each what the options may be. */
function pluginOptions(plugins: JsonSchema): readonly PluginOptions[] {
  const { else: list } = plugins['items'] as { readonly else: { readonly allOf: readonly PairRule[] } };
  return list.allOf.map((rule) => ({ name: rule.if.items[0].enum[0] ?? '', schema: rule.then.items[1] }));
}

interface PairRule {
  readonly if: { readonly items: readonly [{ readonly enum: readonly string[] }] };
  readonly then: { readonly items: readonly [true, JsonSchema] };
}

async function pluginSection(root: string, { name, schema }: PluginOptions): Promise<string> {
  const rows = schemaTable(schema);
  return page(`## ${code(name)}`, prose(await purposeOf(root, name)), rows === '' ? 'It has no options.' : rows);
}

/** The doc comment of the function that makes the plugin, or the preset. */
async function purposeOf(root: string, name: string): Promise<string> {
  const folder = name.replace(/^toolkit\/(plugins\/)?/, '');
  const file = folder === 'standard' ? 'plugins/toolkit/standard.ts' : `plugins/${folder}/index.ts`;
  const own = folder.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const declared = sourceComments(await readFile(path.join(root, file), 'utf8'), file);
  return declared.find((one) => one.name === own)?.comment ?? '';
}
