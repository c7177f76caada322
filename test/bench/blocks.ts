import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { program, token } from './bench-folder.ts';
import { figureRow, type Row } from './rows.ts';
import { definition, folderWith, own } from './scale-folder.ts';
import { HttpProcess, probe } from './server-process.ts';
import { listening } from './toolkit-over-http.ts';

/** Maximum delay that one caller may cause another, in milliseconds. */
const most = 50;

const unknownNames = 100;

const searchTool = 'toolkit_search_tools';

/** How long a server with very many definitions keeps everybody waiting, at most, while it does one thing and another after its first answer. */
export async function blocks(): Promise<Row[]> {
  const { cwd, remove } = await folderWith(own);
  const server = new HttpProcess(
    { args: ['--import', probe, '--', program, 'dev', '--port', '0'], cwd, env: { TOOLKIT_MCP_TOKEN: token }, isProbed: true },
    listening,
  );
  await server.open();
  await server.longestBlock();
  const rows: Row[] = [];
  const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await work();
    const value = await server.longestBlock();
    rows.push(figureRow(`longest block beside ${own} definitions: ${what}`, { value, unit: 'ms', most }));
  };
  await measure('first page of the list', () => server.request('tools/list'));
  await measure('all pages', () => lastPage(server));
  await measure('all pages again', () => lastPage(server));
  await measure('first search, and its index', () => server.call(searchTool, { query: 'count what lies on a shelf' }));
  await measure('ten searches', async () => {
    for (let shelf = 0; shelf < 10; shelf++) await server.call(searchTool, { query: `what lies on shlef ${shelf} since yesterday` });
  });
  await measure(`${unknownNames} unknown names`, async () => {
    for (let name = 0; name < unknownNames; name++) await server.request('tools/call', { name: `shop_cuont_${name}x`, arguments: {} });
  });
  await measure('resources and prompts', async () => {
    for (const list of ['resources/list', 'resources/templates/list', 'prompts/list']) await server.request(list);
  });
  await measure('completion', () =>
    server.request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'skill://{name}/{+path}' },
      argument: { name: 'name', value: '' },
    }),
  );
  await measure('a reload', async () => {
    await writeFile(path.join(cwd, 'tools/shelf_0/shop_count_zero.yaml'), definition('shop_count_zero', 0));
    while (!(await lastPage(server)).includes('shop_count_zero')) await wait(100);
  });
  await server.end();
  await remove();
  return rows;
}

/** Names of the tools of the last page. */
async function lastPage(server: HttpProcess): Promise<readonly string[]> {
  for (let cursor: string | undefined; ; ) {
    const { result } = await server.request('tools/list', cursor === undefined ? {} : { cursor });
    const { tools, nextCursor } = result as { readonly tools: readonly { readonly name: string }[]; readonly nextCursor?: string };
    if (nextCursor === undefined) return tools.map(({ name }) => name);
    cursor = nextCursor;
  }
}
