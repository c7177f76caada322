import { spawnSync } from 'node:child_process';

/**
 * Installs npm packages that only some suite or measurement needs, in `node_modules/.cache/<folder>`. Ends the process where npm fails.
 * @param {{ folder: string, packages: readonly string[], ignoreScripts?: boolean }} wanted `ignoreScripts`: runs no install scripts
 */
export function installPackages({ folder, packages, ignoreScripts = false }) {
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...(ignoreScripts ? ['--ignore-scripts'] : [])];
  const { status } = spawnSync('npm', ['install', '--prefix', `node_modules/.cache/${folder}`, ...options, ...packages], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
