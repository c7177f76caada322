import { benchFolder, program } from './bench-folder.ts';
import { figureRow, median, type Row } from './rows.ts';
import { StdioProcess } from './server-process.ts';

const rounds = 5;
const laterLists = 20;

/** How long a client waits for the list of 255 tools: for the first after the start, and for one of the next. */
export async function lists(): Promise<Row[]> {
  const { cwd, remove } = await benchFolder();
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = new StdioProcess({ args: [program, 'mcp'], cwd });
    await server.open();
    first.push(await timed(() => server.request('tools/list')));
    for (let list = 0; list < laterLists; list++) later.push(await timed(() => server.request('tools/list')));
    await server.end();
  }
  await remove();
  return [
    figureRow('tools/list of 255 tools, the first', { value: median(first), unit: 'ms', most: 25 }),
    figureRow('tools/list of 255 tools, a later one', { value: median(later), unit: 'ms', most: 10 }),
  ];
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
