import { benchFolder } from './bench-folder.ts';
import { callMany } from './calls.ts';
import { buildBoth } from './one-leg.ts';
import { type Row, ratioRow } from './rows.ts';
import { type ServerProcess, StdioProcess } from './server-process.ts';
import { toolkitOverHttp } from './toolkit-over-http.ts';

const starts = 40;
const rounds = 11;
const warmUpCalls = 2000;
const callsPerRound = 4000;

interface Pair<T> {
  readonly both: T;
  readonly one: T;
}

/** Measures what the second protocol era costs a client with a session. Both servers are asked in turns. */
export async function eras(): Promise<Row[]> {
  const { both, one, remove } = await buildBoth();
  const programs: Pair<string> = { both, one };
  const folders = { both: await benchFolder(), one: await benchFolder() };
  const stdio = (name: keyof Pair<string>): ServerProcess => new StdioProcess({ args: [programs[name], 'mcp'], cwd: folders[name].cwd });
  const http = (name: keyof Pair<string>): ServerProcess => toolkitOverHttp(folders[name].cwd, { main: programs[name] });
  const rows = [
    row('a start to the answer of tools/list', 'ms', await started(stdio)),
    row('a call over stdio', 'µs', await called(stdio)),
    row('a call over HTTP', 'µs', await called(http)),
  ];
  for (const { remove: end } of Object.values(folders)) await end();
  await remove();
  return rows;
}

const row = (what: string, unit: string, { both, one }: Pair<number>): Row =>
  ratioRow(`processor time of ${what}, both eras`, { bare: one, toolkit: both, unit, most: 1.03, to: 'one era' });

async function started(open: (name: keyof Pair<string>) => ServerProcess): Promise<Pair<number>> {
  const spent: Pair<number[]> = { both: [], one: [] };
  for (let round = -2; round < starts; round++)
    for (const name of inTurns(round)) {
      const server = open(name);
      await server.open();
      await server.request('tools/list');
      if (round >= 0) spent[name].push(server.cpuMs);
      await server.end();
    }
  return { both: middle(spent.both), one: middle(spent.one) };
}

async function called(open: (name: keyof Pair<string>) => ServerProcess): Promise<Pair<number>> {
  const servers = { both: open('both'), one: open('one') };
  const spent: Pair<number[]> = { both: [], one: [] };
  for (const server of Object.values(servers)) {
    await server.open();
    await callMany(server, warmUpCalls);
  }
  for (let round = 0; round < rounds; round++)
    for (const name of inTurns(round)) {
      const before = servers[name].cpuMs;
      await callMany(servers[name], callsPerRound);
      spent[name].push(((servers[name].cpuMs - before) * 1000) / callsPerRound);
    }
  for (const server of Object.values(servers)) await server.end();
  return { both: middle(spent.both), one: middle(spent.one) };
}

/** Each goes first as often as the other. */
const inTurns = (round: number): readonly (keyof Pair<unknown>)[] => (round % 2 === 0 ? ['both', 'one'] : ['one', 'both']);

/** The mean of the middle half: finer than the clock of `/proc`, which ticks every 10 ms, and without what was disturbed. */
function middle(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b).slice(Math.floor(samples.length / 4), Math.ceil((samples.length * 3) / 4));
  return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
}
