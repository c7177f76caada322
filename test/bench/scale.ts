import { setTimeout as wait } from 'node:timers/promises';
import { benchFolder, program } from './bench-folder.ts';
import { callMany } from './calls.ts';
import { timed } from './lists.ts';
import { figureRow, median, type Row, ratioRow } from './rows.ts';
import { folderWith, own } from './scale-folder.ts';
import { StdioProcess } from './server-process.ts';

const most = 100_000;
const rounds = 3;
const calls = 4000;

/** Milliseconds without processor time after which a server counts as idle. */
const restMs = 1000;

/** A server with very many definitions of its own, a file each. */
export async function scale(): Promise<Row[]> {
  const small = await benchFolder();
  const large = await folderWith(own);
  const largest = await folderWith(most);
  // The first start reads the files, the next ones what it has kept of them.
  await startOf(large.cwd);
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) warm.push((await startOf(large.cwd)).cpuMs);
  const { residentMiB, unknownMs } = await startOf(large.cwd);
  const pair = await callsOf(small.cwd, large.cwd);
  const first = await startOf(largest.cwd);
  await Promise.all([small, large, largest].map(({ remove }) => remove()));
  return [
    figureRow(`start with ${own} own definitions, warm, processor time`, { value: median(warm) / 1000, unit: 's', most: 1.5 }),
    figureRow(`memory with ${own} own definitions`, { value: residentMiB, unit: 'MiB', most: 200 }),
    ratioRow(`a call beside ${own} own definitions`, { bare: pair.small, toolkit: pair.large, unit: 'µs', most: 1.2, to: 'beside 255' }),
    figureRow(`a name that none of ${own} definitions has`, { value: unknownMs, unit: 'ms', most: 1 }),
    figureRow(`a name that none of ${most} definitions has`, { value: first.unknownMs, unit: 'ms', most: 1 }),
    figureRow(`start with ${most} own definitions, cold, processor time`, {
      value: first.cpuMs / 1000,
      unit: 's',
      // Linear: ten times a cold start with a tenth, and a half more.
      most: (15 * (await coldStart())) / 1000,
    }),
  ];
}

let cold: number | undefined;

/** Processor time of a cold start with the smaller folder, in milliseconds. */
async function coldStart(): Promise<number> {
  if (cold === undefined) {
    const fresh = await folderWith(own);
    cold = (await startOf(fresh.cwd)).cpuMs;
    await fresh.remove();
  }
  return cold;
}

interface Start {
  readonly cpuMs: number;
  readonly residentMiB: number;
  /** How long a call of a name waits that no tool has. */
  readonly unknownMs: number;
}

async function startOf(cwd: string): Promise<Start> {
  const server = new StdioProcess({ args: [program, 'mcp'], cwd });
  await server.open();
  await server.request('tools/list');
  const { cpuMs, residentMiB } = server;
  await atRest(server);
  const samples: number[] = [];
  for (let asked = 0; asked < 50; asked++)
    samples.push(await timed(() => server.request('tools/call', { name: `shop_cuont_${asked}x`, arguments: {} })));
  await server.end();
  return { cpuMs, residentMiB, unknownMs: median(samples) };
}

/** Until it has written down what a first start has worked out: that is no part of what a name costs. */
async function atRest(server: StdioProcess): Promise<void> {
  for (let before = -1; server.cpuMs !== before; await wait(restMs)) before = server.cpuMs;
}

async function callsOf(smallCwd: string, largeCwd: string): Promise<{ small: number; large: number }> {
  const servers = {
    small: new StdioProcess({ args: [program, 'mcp'], cwd: smallCwd }),
    large: new StdioProcess({ args: [program, 'mcp'], cwd: largeCwd }),
  };
  const spent = { small: [] as number[], large: [] as number[] };
  for (const server of Object.values(servers)) {
    await server.open();
    await callMany(server, calls);
  }
  for (let round = 0; round < rounds * 2; round++)
    for (const name of ['small', 'large'] as const) {
      const before = servers[name].cpuMs;
      await callMany(servers[name], calls);
      spent[name].push(((servers[name].cpuMs - before) * 1000) / calls);
    }
  for (const server of Object.values(servers)) await server.end();
  return { small: median(spent.small), large: median(spent.large) };
}
