import { bareHttp, bareStdio, benchFolder, program } from './bench-folder.ts';
import { callMany } from './calls.ts';
import { figureRow, median, type Row, ratioRow } from './rows.ts';
import { HttpProcess, type ServerProcess, StdioProcess } from './server-process.ts';
import { toolkitOverHttp } from './toolkit-over-http.ts';

const rounds = 5;
const manyCalls = 20_000;
const manySessions = 1000;

/** Resident memory of a server that has answered initialize and tools/list, after many calls, and with many sessions. */
export async function memory(): Promise<Row[]> {
  const { cwd, remove } = await benchFolder();
  const start = {
    bareStdio: () => new StdioProcess({ args: [bareStdio], cwd }),
    stdio: () => new StdioProcess({ args: [program, 'mcp'], cwd }),
    bareHttp: () => new HttpProcess({ args: [bareHttp], cwd }, { port: /^(\d+)$/m }),
    http: () => toolkitOverHttp(cwd),
  };
  const idle = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const [name, begin] of Object.entries(start)) {
      const server = begin();
      await server.open();
      await server.request('tools/list');
      idle.set(name, [...(idle.get(name) ?? []), server.residentMiB]);
      await server.end();
    }
  const of = (name: keyof typeof start): number => median(idle.get(name) ?? []);
  const growth = await growthAfterCalls(start.stdio());
  const perSession = await memoryPerSession(start.http());
  await remove();
  return [
    ratioRow('idle memory over stdio', { bare: of('bareStdio'), toolkit: of('stdio'), unit: 'MiB', most: 1.12 }),
    ratioRow('idle memory over HTTP', { bare: of('bareHttp'), toolkit: of('http'), unit: 'MiB', most: 1.1 }),
    figureRow(`growth from ${manyCalls} to ${manyCalls * 2} calls`, { value: growth * 100, unit: '%', most: 5 }),
    figureRow(`memory of each of ${manySessions} sessions`, { value: perSession * 1024, unit: 'KiB', most: 64 }),
  ];
}

async function growthAfterCalls(server: ServerProcess): Promise<number> {
  await server.open();
  await callMany(server, manyCalls);
  const warm = server.residentMiB;
  await callMany(server, manyCalls);
  const growth = server.residentMiB / warm - 1;
  await server.end();
  return growth;
}

async function memoryPerSession(server: HttpProcess): Promise<number> {
  await server.open();
  for (let warm = 0; warm < 50; warm++) await server.openAnother();
  const before = server.residentMiB;
  for (let opened = 0; opened < manySessions - 51; opened++) await server.openAnother();
  const each = (server.residentMiB - before) / (manySessions - 51);
  await server.end();
  return each;
}
