import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ancestors } from '../../../shared/project/ancestors.ts';
import { codeRoot, runsFromSource } from '../../../shared/project/layout.ts';

/** What is described: `dist/schemas/<name>.schema.json`, and `exports` of package.json. */
type SchemaName = 'tool' | 'provider' | 'config';

/**
 * Where an editor finds the schema of a file in this folder, as the file says it in its first line: the copy that the project has installed,
 * relative to the folder, else that of this program.
 */
export function schemaPlace(folder: string, name: SchemaName): string {
  const file = `${name}.schema.json`;
  for (const above of ancestors(folder)) {
    const installed = path.join(above, 'node_modules', '@toolkit', 'core', 'dist', 'schemas', file);
    if (existsSync(installed)) return pathInUrl(path.relative(folder, installed));
  }
  return pathToFileURL(path.join(codeRoot(), ...(runsFromSource ? ['dist'] : []), 'schemas', file)).href;
}

/** An editor reads no further than a blank. */
function pathInUrl(relative: string): string {
  const written = relative.split(path.sep).map(encodeURI).join('/');
  return written.startsWith('.') ? written : `./${written}`;
}
