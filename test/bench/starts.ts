import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bareStdio, benchFolder, program } from './bench-folder.ts';
import { median, type Row, ratioRow } from './rows.ts';
import { StdioProcess } from './server-process.ts';

const run = promisify(execFile);
const rounds = 9;

const typescript = `import { defineConfig } from '@toolkit/core';
export default defineConfig({ plugins: [['toolkit/standard', { autoDiscover: true }]] });
`;

/** Processor time of a start to the answers of initialize and tools/list, and of short commands, in turns with what they are compared with. */
export async function starts(): Promise<Row[]> {
  const plain = await benchFolder({});
  const configured = await benchFolder({ 'toolkit.config.ts': typescript });
  const servers = {
    bare: { args: [bareStdio], cwd: plain.cwd },
    plain: { args: [program, 'mcp'], cwd: plain.cwd },
    configured: { args: [program, 'mcp'], cwd: configured.cwd },
  };
  const commands = {
    node: ['-e', '0'],
    help: [program, '--help'],
    run: [program, 'run', 'time_now'],
    list: [program, 'list'],
  };
  const spent = new Map<string, number[]>();
  const note = (name: string, ms: number): void => void spent.set(name, [...(spent.get(name) ?? []), ms]);
  for (let round = -1; round < rounds; round++) {
    for (const [name, command] of Object.entries(servers)) {
      const ms = await startOf(command);
      if (round >= 0) note(name, ms);
    }
    for (const [name, args] of Object.entries(commands)) {
      const ms = await processorTime(args, plain.cwd);
      if (round >= 0) note(name, ms);
    }
  }
  await plain.remove();
  await configured.remove();
  const of = (name: string): number => median(spent.get(name) ?? []);
  const startRow = (what: string, name: string, most: number): Row =>
    ratioRow(`processor time of a start of toolkit mcp, 255 tools, ${what}`, { bare: of('bare'), toolkit: of(name), unit: 'ms', most });
  const commandRow = (what: string, name: string, most: number): Row =>
    ratioRow(`processor time of ${what}`, { bare: of('node'), toolkit: of(name), unit: 'ms', most, to: 'node -e 0' });
  return [
    startRow('no configuration', 'plain', 0.9),
    startRow('a TypeScript configuration', 'configured', 1.1),
    commandRow('toolkit --help', 'help', 1.6),
    commandRow('toolkit run time_now', 'run', 2.5),
    commandRow('toolkit list', 'list', 2.5),
  ];
}

async function startOf(command: { args: readonly string[]; cwd: string }): Promise<number> {
  const server = new StdioProcess(command);
  await server.open();
  await server.request('tools/list');
  const { cpuMs } = server;
  await server.end();
  return cpuMs;
}

/** Measures the processor time of a program from start to end, in milliseconds, by bash's clock, which includes its children. */
async function processorTime(args: readonly string[], cwd: string): Promise<number> {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1';
  const { stderr } = await run('bash', ['-c', script, 'bash', process.execPath, ...args], { cwd });
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return (user + system) * 1000;
}
