/**
 * `node test/ci/install-program.mjs <program> <package>`: installs a program that a suite needs where it is missing, on Debian and Ubuntu as the superuser.
 * Elsewhere it says how; the suite then fails, because nobody has tried what it tests.
 */
import { spawnSync } from 'node:child_process';

const [program = '', name = program] = process.argv.slice(2);

/** @type {(program: string, ...args: string[]) => boolean} */
const runs = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

if (!runs(program, '--help')) {
  const install = ['install', '-y', '--no-install-recommends', name];
  const isInstalled =
    process.getuid?.() === 0 &&
    runs('apt-get', '--version') &&
    (runs('apt-get', ...install) || (runs('apt-get', 'update') && runs('apt-get', ...install)));
  if (!isInstalled)
    process.stdout.write(`${program} is missing and was not installed: install it (Debian and Ubuntu: sudo apt-get install ${name}).\n`);
}
