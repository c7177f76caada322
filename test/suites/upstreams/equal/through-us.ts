import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ServerCase } from './cases.ts';
import { type Asked, type Era, RecordedClient } from './recorded-client.ts';
import { prefix, source } from './rewrites.ts';

const program = path.resolve('dist/plugins/toolkit/main.js');

/** Opens the server itself, with the roots that our program has. */
export function directly(server: ServerCase, folder: string): Promise<RecordedClient> {
  return RecordedClient.open(server.era, { args: server.args(folder), cwd: folder, env: server.env?.(folder) ?? {}, roots: [folder] });
}

/** Opens the built program with the server behind it. Whatever the server offers is taken, as the comparison is about its answers. */
export async function throughUs(era: Era, server: ServerCase, folder: string): Promise<RecordedClient> {
  const settings = {
    command: process.execPath,
    args: server.args(folder),
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...server.env?.(folder) },
    cwd: folder,
    ...{ pin: 'off', gate: 'none', trustAnnotations: true, sampling: true },
  };
  await writeFile(
    path.join(folder, 'toolkit.config.mjs'),
    `import { mcp, standard } from '@toolkit/core';
import { upstreams } from '@toolkit/core/plugins/upstreams';
// A result as it is: the output budget is about models.
const plugins = standard({ includeCore: false, autoDiscover: false }).filter(({ name }) => name !== 'output-budget');
export default { plugins: [...plugins, upstreams({ servers: { ${source}: ${JSON.stringify(settings)} } }), mcp()] };
`,
  );
  return RecordedClient.open(era, {
    args: [program, 'mcp'],
    cwd: folder,
    env: { XDG_STATE_HOME: path.join(folder, 'state'), XDG_CACHE_HOME: path.join(folder, 'cache') },
  });
}

/** Returns a request by our names of tools and prompts. Those of resources and templates stay. */
export function byOurNames({ method, params }: Asked): Asked {
  const { name, ref } = params as { readonly name?: string; readonly ref?: { readonly type: string; readonly name?: string } };
  return {
    method,
    params: {
      ...params,
      ...(name === undefined ? {} : { name: prefix + name }),
      ...(ref?.name === undefined ? {} : { ref: { ...ref, name: prefix + ref.name } }),
    },
  };
}
