/**
 * The same tool served by the bare SDK, by FastMCP and by this program with everything on: `npm run bench compare`, which installs FastMCP in a
 * folder of its own. Prints the table of README.md.
 */
import { createServer } from 'node:net';
import path from 'node:path';
import { bareHttp, bareStdio, benchFolder, program } from './bench-folder.ts';
import { callMany } from './calls.ts';
import { median } from './rows.ts';
import { HttpProcess, type ServerProcess, StdioProcess } from './server-process.ts';
import { toolkitOverHttp } from './toolkit-over-http.ts';

const rounds = 5;
const warmUpCalls = 2000;
const callsPerRound = 3000;
const fastmcp = path.resolve('test/bench/servers/fastmcp.mjs');

interface Measured {
  readonly startMs: number;
  readonly idleMiB: number;
  readonly callMicros: number;
}

const { cwd, remove } = await benchFolder();
const env = { BENCH_PACKAGES: path.resolve('node_modules/.cache/bench') };
const port = await freePort();

const servers: Readonly<Record<string, () => ServerProcess>> = {
  'bare SDK, stdio': () => new StdioProcess({ args: [bareStdio], cwd }),
  'FastMCP, stdio': () => new StdioProcess({ args: [fastmcp, 'stdio'], cwd, env }),
  'toolkit, 255 tools, stdio': () => new StdioProcess({ args: [program, 'mcp'], cwd }),
  'bare SDK, HTTP': () => new HttpProcess({ args: [bareHttp], cwd }, { port: /^(\d+)$/m }),
  'FastMCP, HTTP': () => new HttpProcess({ args: [fastmcp, 'http', String(port)], cwd, env }, { port: /^(\d+)$/m }),
  'toolkit, 255 tools, HTTP': () => toolkitOverHttp(cwd),
};

const measured = new Map<string, Measured[]>();
for (let round = 0; round < rounds; round++)
  for (const [name, start] of Object.entries(servers)) measured.set(name, [...(measured.get(name) ?? []), await measure(start())]);
await remove();

process.stdout.write('| server | start, processor time | idle memory | processor time of a call |\n| --- | ---: | ---: | ---: |\n');
for (const [name, all] of measured) {
  const of = (pick: (one: Measured) => number): number => median(all.map(pick));
  const cells = [
    `${of(({ startMs }) => startMs).toFixed(0)} ms`,
    `${of(({ idleMiB }) => idleMiB).toFixed(0)} MiB`,
    `${of(({ callMicros }) => callMicros).toFixed(0)} µs`,
  ];
  process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
}

async function measure(server: ServerProcess): Promise<Measured> {
  await server.open();
  await server.request('tools/list');
  const { cpuMs: startMs, residentMiB: idleMiB } = server;
  await callMany(server, warmUpCalls);
  const before = server.cpuMs;
  await callMany(server, callsPerRound);
  const callMicros = ((server.cpuMs - before) * 1000) / callsPerRound;
  await server.end();
  return { startMs, idleMiB, callMicros };
}

async function freePort(): Promise<number> {
  const listening = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  const { port: free } = listening.address() as { port: number };
  await new Promise((resolve) => listening.close(resolve));
  return free;
}
