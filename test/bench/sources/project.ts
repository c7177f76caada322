import { benchFolder } from '../bench-folder.ts';
import type { Operations } from './operations.d.mts';
import { documentOf } from './operations.mjs';

/** A project whose tools come from OpenAPI documents, one for each source. */
export function projectWith(documents: Readonly<Record<string, Operations>>): ReturnType<typeof benchFolder> {
  const files = Object.entries(documents).map(([name, size]) => [`${name}.json`, JSON.stringify(documentOf(name, size))] as const);
  const sources = Object.fromEntries(Object.keys(documents).map((name) => [name, { document: `./${name}.json` }]));
  const plugins = [
    ['toolkit/standard', {}],
    ['toolkit/plugins/mcp', { expose: 'search' }],
    ['toolkit/plugins/openapi', { sources }],
  ];
  return benchFolder({ ...Object.fromEntries(files), 'toolkit.config.yaml': `plugins: ${JSON.stringify(plugins)}\n` });
}
