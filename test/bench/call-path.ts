/**
 * Prints how many of our files and functions one call of a function tool passes: `tsx test/bench/call-path.ts [--over stdio|http] [--list]`.
 * Without `--over` the call is one of the library, by a model, with the standard plugins. With it, the call is a `tools/call` of
 * MCP 2025-11-25, and what its server passes is counted, from the request's bytes to the response's. Everything that is loaded once has
 * been loaded. `--list` names the files and functions. Files over 300 lines are named always.
 * `test/contract/call-path.e2e.ts` holds the budgets.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { benchFolder, token } from './bench-folder.ts';
import { Coverage, type CoveredFile } from './coverage.ts';
import { HttpProcess, opening, type ServerCommand, type ServerProcess, StdioProcess } from './server-process.ts';
import { listening } from './toolkit-over-http.ts';

const tool = 'time_now';
const warmUps = 3;
const maxLines = 300;

/** A folder that cannot be written: what is cached between starts would be swept beside the calls. */
const noCache = { XDG_CACHE_HOME: '/dev/null' };

const paths: Readonly<Record<string, () => Promise<readonly CoveredFile[]>>> = { library: inLibrary, stdio: overStdio, http: overHttp };

async function inLibrary(): Promise<readonly CoveredFile[]> {
  Object.assign(process.env, noCache);
  const toolkit = await Toolkit.init({ logLevel: 'silent' });
  const { kernel } = toolkit;
  const call = () => kernel.call({ tool, parameters: {}, origin: 'model' });
  for (let n = 0; n < warmUps; n++) await call();
  const coverage = await Coverage.start(path.resolve('.'));
  await coverage.take();
  const covered = await shortest(async () => {
    await call();
    return coverage.take();
  });
  coverage.stop();
  await toolkit.close();
  return covered;
}

function overStdio(): Promise<readonly CoveredFile[]> {
  return inServer([], {}, (command) => new StdioProcess(command));
}

function overHttp(): Promise<readonly CoveredFile[]> {
  const headers = { 'mcp-protocol-version': opening.protocolVersion };
  return inServer(
    ['--transport', 'http', '--port', '0'],
    { TOOLKIT_MCP_TOKEN: token },
    (command) => new HttpProcess(command, { ...listening, headers }),
  );
}

/** Runs the program from its sources, with nothing configured, in a process of its own. */
async function inServer(
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
  start: (command: ServerCommand) => ServerProcess,
): Promise<readonly CoveredFile[]> {
  const { cwd, remove } = await benchFolder({});
  const preloaded = [import.meta.resolve('tsx'), import.meta.resolve('./coverage-probe.ts')].flatMap((module) => ['--import', module]);
  const args = [...preloaded, path.resolve('plugins/toolkit/main.ts'), 'mcp', ...flags];
  const server = start({ args, cwd, env: { ...env, ...noCache }, isProbed: true });
  try {
    await server.open();
    for (let n = 0; n < warmUps; n++) await server.call(tool, {});
    await server.probe();
    return await shortest(async () => {
      await server.call(tool, {});
      return (await server.probe()) as readonly CoveredFile[];
    });
  } finally {
    await server.end();
    await remove();
  }
}

/** Returns the path with the fewest functions of three calls: now and then a timer runs meanwhile, or a text resembles a secret. */
async function shortest(measureCall: () => Promise<readonly CoveredFile[]>): Promise<readonly CoveredFile[]> {
  const covered = [await measureCall(), await measureCall(), await measureCall()];
  return covered.reduce((least, other) => (countFunctions(other) < countFunctions(least) ? other : least));
}

function countFunctions(files: readonly CoveredFile[]): number {
  return files.reduce((sum, { functions }) => sum + functions.length, 0);
}

const { values } = parseArgs({ options: { over: { type: 'string', default: 'library' }, list: { type: 'boolean', default: false } } });
const { over } = values;
const measure = Object.hasOwn(paths, over) ? paths[over] : undefined;
if (measure === undefined) throw new Error(`--over: expected one of ${Object.keys(paths).join(', ')}, received "${over}".`);
const covered = [...(await measure())].sort((a, b) => (a.file < b.file ? -1 : 1));
process.stdout.write(`a call of ${tool} over ${over}: ${covered.length} files, ${countFunctions(covered)} functions\n`);
for (const { file, functions } of covered) {
  const lines = (await readFile(file, 'utf8')).split('\n').length - 1;
  if (lines > maxLines) process.stdout.write(`  ${file} has ${lines} lines, more than ${maxLines}\n`);
  if (values.list) process.stdout.write(`  ${file}: ${functions.join(', ')}\n`);
}
