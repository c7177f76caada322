/**
 * `node test/ci/install-bubblewrap.mjs`: installs bubblewrap for `test:sandbox` where it is missing, on Debian and Ubuntu as the superuser. Elsewhere it
 * says how; the suite then fails, because nobody has tried the sandbox.
 */
import { spawnSync } from 'node:child_process';

/** @type {(program: string, ...args: string[]) => boolean} */
const runs = (program, ...args) => spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

if (!runs('bwrap', '--version')) {
  const isInstalled =
    process.getuid?.() === 0 &&
    runs('apt-get', '--version') &&
    (runs('apt-get', 'install', '-y', '--no-install-recommends', 'bubblewrap') ||
      (runs('apt-get', 'update') && runs('apt-get', 'install', '-y', '--no-install-recommends', 'bubblewrap')));
  if (!isInstalled)
    process.stdout.write('bubblewrap is missing and was not installed: install it (Debian and Ubuntu: sudo apt-get install bubblewrap).\n');
}
