import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { program } from '../bench-folder.ts';
import { median, type Row, ratioRow } from '../rows.ts';
import { folderWith } from '../scale-folder.ts';
import { StdioProcess } from '../server-process.ts';
import { heapOfSchemas } from './heap.ts';
import { projectWith } from './project.ts';
import { relist } from './relist.ts';

const run = promisify(execFile);
const operations = 5000;
const rounds = 7;

interface Cost {
  readonly cpuMs: number;
  readonly residentMiB: number;
}

/** Tools of sources beside as many own YAML tools, both warm, in turns; a changed source; the memory of schemas. */
export async function sources(): Promise<Row[]> {
  const own = await folderWith(operations, ['toolkit/plugins/mcp', { expose: 'search' }]);
  const source = await projectWith({ shop: { operations, schemas: 300 } });
  const spent = { ownServer: [] as Cost[], server: [] as Cost[], ownList: [] as Cost[], list: [] as Cost[] };
  for (let round = -1; round < rounds; round++) {
    const costs = {
      ownServer: await serverCost(own.cwd),
      server: await serverCost(source.cwd),
      ownList: await listCost(own.cwd),
      list: await listCost(source.cwd),
    };
    // The first round fills the caches.
    if (round >= 0) for (const name of Object.keys(costs) as (keyof typeof costs)[]) spent[name].push(costs[name]);
  }
  await own.remove();
  await source.remove();
  const row = (what: string, [bare, toolkit]: readonly [readonly Cost[], readonly Cost[]], key: keyof Cost, unit: string): Row =>
    ratioRow(`${what}, ${operations} operations of a source, warm`, {
      ...{ bare: median(bare.map((cost) => cost[key])), toolkit: median(toolkit.map((cost) => cost[key])), unit },
      ...{ most: 1.2, to: 'own YAML' },
    });
  return [
    row('processor time of toolkit mcp', [spent.ownServer, spent.server], 'cpuMs', 'ms'),
    row('memory of toolkit mcp', [spent.ownServer, spent.server], 'residentMiB', 'MiB'),
    row('processor time of toolkit list', [spent.ownList, spent.list], 'cpuMs', 'ms'),
    row('memory of toolkit list', [spent.ownList, spent.list], 'residentMiB', 'MiB'),
    ...(await relist()),
    ...(await heapOfSchemas()),
  ];
}

/** Until `tools/list` with the tools that search for others is answered. */
async function serverCost(cwd: string): Promise<Cost> {
  const server = new StdioProcess({ args: [program, 'mcp'], cwd });
  await server.open();
  await server.request('tools/list');
  const { cpuMs, residentMiB } = server;
  await server.end();
  return { cpuMs, residentMiB };
}

/** The whole process, with its highest memory, as the system counts them. */
async function listCost(cwd: string): Promise<Cost> {
  const { stdout } = await run('python3', ['-c', measured, process.execPath, program, 'list'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd },
  });
  const [cpuMs = 0, residentKiB = 0] = stdout.trim().split(' ').map(Number);
  return { cpuMs, residentMiB: residentKiB / 1024 };
}

const measured = `import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print((used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss)`;
