import { bareHttp, bareStdio, benchFolder, program } from './bench-folder.ts';
import { median, type Row, ratioRow } from './rows.ts';
import { HttpProcess, type ServerProcess, StdioProcess } from './server-process.ts';
import { toolkitOverHttp } from './toolkit-over-http.ts';

const rounds = 7;
const warmUpCalls = 2000;
const callsPerRound = 4000;
const inFlight = 32;

/** Processor time of the server for one call, beside the bare SDK: both run, and are asked in turns. */
export async function calls(): Promise<Row[]> {
  const { cwd, remove } = await benchFolder();
  // Of two servers with one trail that is a file, one would not get its lock.
  const modern = await benchFolder();
  const stdio = await compared({
    bare: new StdioProcess({ args: [bareStdio], cwd }),
    toolkit: new StdioProcess({ args: [program, 'mcp'], cwd }),
    modern: new StdioProcess({ args: [program, 'mcp'], cwd: modern.cwd, isModern: true }),
  });
  const http = await compared({
    bare: new HttpProcess({ args: [bareHttp], cwd }, { port: /^(\d+)$/m }),
    toolkit: toolkitOverHttp(cwd),
    modern: toolkitOverHttp(modern.cwd, { isModern: true }),
  });
  await remove();
  await modern.remove();
  return [
    ratioRow('processor time of a call over stdio, everything on', { ...stdio, unit: 'µs', most: 0.8 }),
    ratioRow('processor time of a call over HTTP, everything on, bearer token', { ...http, unit: 'µs', most: 0.4 }),
    ratioRow('the same of 2026-07-28 over stdio', { ...stdio, toolkit: stdio.modern, unit: 'µs', most: 0.8 }),
    ratioRow('the same of 2026-07-28 over HTTP', { ...http, toolkit: http.modern, unit: 'µs', most: 0.4 }),
  ];
}

type Servers<T> = Readonly<Record<'bare' | 'toolkit' | 'modern', T>>;

async function compared(servers: Servers<ServerProcess>): Promise<Servers<number>> {
  const names = ['bare', 'toolkit', 'modern'] as const;
  const spent: Servers<number[]> = { bare: [], toolkit: [], modern: [] };
  for (const name of names) {
    await servers[name].open();
    await callMany(servers[name], warmUpCalls);
  }
  for (let round = 0; round < rounds; round++)
    for (const name of names) {
      const before = servers[name].cpuMs;
      await callMany(servers[name], callsPerRound);
      spent[name].push(((servers[name].cpuMs - before) * 1000) / callsPerRound);
    }
  for (const name of names) await servers[name].end();
  return { bare: median(spent.bare), toolkit: median(spent.toolkit), modern: median(spent.modern) };
}

export async function callMany(server: ServerProcess, count: number): Promise<void> {
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) await server.call('crypto_hash', { text: `hello ${left}` });
  };
  await Promise.all(Array.from({ length: inFlight }, one));
}
