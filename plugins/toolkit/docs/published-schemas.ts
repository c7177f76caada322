import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type JsonSchema, ToolkitError } from '../../../kernel/index.ts';

/** JSON Schemas that the build has made from our shapes and their doc comments. */
export interface PublishedSchemas {
  readonly tool: JsonSchema;
  readonly provider: JsonSchema;
  readonly config: JsonSchema;
}

/** Reads the schemas from `dist/schemas`. `root`: the folder of package.json. */
export async function publishedSchemas(root: string): Promise<PublishedSchemas> {
  const folder = path.join(root, 'dist', 'schemas');
  if (!existsSync(folder)) throw new ToolkitError('CONFIG_NOT_FOUND', 'dist/schemas is not there. Run "npm run build" first.');
  const read = async (name: string): Promise<JsonSchema> =>
    // Own text: written by the build.
    JSON.parse(await readFile(path.join(folder, `${name}.schema.json`), 'utf8')) as JsonSchema;
  return { tool: await read('tool'), provider: await read('provider'), config: await read('config') };
}
