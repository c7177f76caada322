/**
 * Part of `npm run build:python`: the wheel with the program in it, and the source distribution without, in `plugins/python-sdk/dist/`.
 * The build backend is installed in a virtual environment in `node_modules/.cache`; TOOLKIT_PYTHON names another Python than `python3`.
 */
import { execFile } from 'node:child_process';
import { cp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeProgramFolder } from './program-folder.mjs';

const run = promisify(execFile);
const root = process.cwd();
const sdk = path.join(root, 'plugins', 'python-sdk');
const dist = path.join(sdk, 'dist');
/** A copy of the package, so that a clone itself goes on with the program that it has built last. */
const copy = path.join(root, 'node_modules', '.cache', 'python', 'package');
const environment = path.join(root, 'node_modules', '.cache', 'python', 'build');
const python = path.join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

await rm(copy, { recursive: true, force: true });
for (const part of ['pyproject.toml', 'README.md', 'src'])
  await cp(path.join(sdk, part), path.join(copy, part), { recursive: true, filter: (file) => !file.endsWith('__pycache__') });
await writeProgramFolder({ root, into: path.join(copy, 'src', 'toolkit', '_program') });
await rm(dist, { recursive: true, force: true });
await run(process.env['TOOLKIT_PYTHON'] ?? 'python3', ['-m', 'venv', environment]);
await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '0', 'hatchling>=1.26', 'build']);
await run(python, ['-m', 'build', '--no-isolation', '--outdir', dist, '--sdist', '--wheel', copy]);
for (const name of await readdir(dist)) {
  const { size } = await stat(path.join(dist, name));
  process.stdout.write(`${path.join('plugins/python-sdk/dist', name)}: ${(size / 1e6).toFixed(1)} MB\n`);
}
