/** Part of the build: does in an empty folder what a start does, and writes the code that Node compiled for it to the given file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { compiledCode } from './code/own-code.ts';
import { runCommandLine } from './program/command-line.ts';
import { StandardError } from './program/standard-error/standard-error.ts';

const file = path.resolve(process.argv[2] ?? '');
const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-build-'));
process.chdir(folder);
process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
const env = { ...process.env, TOOLKIT_LOG_LEVEL: 'error' };
await writeFile('toolkit.config.yaml', 'plugins: [[toolkit/standard, { toolPaths: [own.yaml] }]]\n');
await writeFile(
  'own.yaml',
  'name: own\ndescription: Prints nothing at all.\nexecution: { type: command, command: node, args: [--version] }\n',
);
for (const argv of [['--help'], ['list'], ['run', 'time_now'], ['run', 'own']]) await runCommandLine(argv, env, new StandardError(env));
await rm('toolkit.config.yaml');
await writeFile('toolkit.config.ts', "export default { plugins: [['toolkit/standard', {}]] };");
await runCommandLine(['mcp'], env, new StandardError(env));
const compiled = compiledCode();
if (compiled !== undefined) await writeFile(file, compiled);
await rm(folder, { recursive: true, force: true });
process.exit();
