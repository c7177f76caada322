import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ancestors } from './ancestors.ts';
import { codeRoot, runsFromSource } from './layout.ts';

/** Schema in `dist/schemas/<name>.schema.json`, and in `exports` of package.json. */
type SchemaName = 'tool' | 'provider' | 'config';

/**
 * Returns the path of a schema, for the first line of a file in this folder: the copy that the project has installed, relative to the
 * folder, else the URL of this program's copy. Editors read it.
 */
export function schemaPath(folder: string, name: SchemaName): string {
  const file = `${name}.schema.json`;
  for (const above of ancestors(folder)) {
    const installed = path.join(above, 'node_modules', '@toolkit', 'core', 'dist', 'schemas', file);
    if (existsSync(installed)) return pathInUrl(path.relative(folder, installed));
  }
  return pathToFileURL(path.join(codeRoot(), ...(runsFromSource ? ['dist'] : []), 'schemas', file)).href;
}

/** Encodes spaces: an editor reads the path only up to a space. */
function pathInUrl(relative: string): string {
  const written = relative.split(path.sep).map(encodeURI).join('/');
  return written.startsWith('.') ? written : `./${written}`;
}
