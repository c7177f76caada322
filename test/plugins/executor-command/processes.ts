import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { until } from '../../support/until.ts';

/**
 * A program that starts a child, writes both process ids to the file `pids` beside it, and goes on until it is ended.
 * `stubborn` as its first argument: both ignore SIGTERM.
 */
export const familyProgram = `
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
const stubborn = process.argv[2] === 'stubborn' ? 'process.on("SIGTERM", () => {});' : '';
if (stubborn !== '') process.on('SIGTERM', () => {});
const child = spawn(process.execPath, ['-e', stubborn + 'console.log("ready"); setInterval(() => {}, 1e6)'], { stdio: ['ignore', 'pipe', 'inherit'] });
child.stdout.once('data', () => {
  writeFileSync('pids.part', process.pid + ' ' + child.pid);
  renameSync('pids.part', 'pids');
});
setInterval(() => {}, 1e6);
`;

/** Starts a daemon (setsid(2)) that starts another one, which writes both process ids to the file `pids`; then it ends, or goes on. */
export const daemonProgram = `
import { spawn } from 'node:child_process';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
const [, file, role] = process.argv;
const daemon = (next) => spawn(process.execPath, [file, next], { detached: true, stdio: 'ignore' }).unref();
const end = () => (existsSync('pids') ? process.exit() : setImmediate(end));
if (role === 'last') {
  writeFileSync('pids.part', process.ppid + ' ' + process.pid);
  renameSync('pids.part', 'pids');
} else {
  daemon(role === 'first' ? 'last' : 'first');
  if (role === 'leaves them behind') end();
}
setInterval(() => {}, 1e6);
`;

/** The process ids that a program wrote to a file, once it has. */
export async function pidsIn(file: string): Promise<number[]> {
  const text = await until(() => readFile(file, 'utf8').catch(() => undefined));
  return text.split(' ').map(Number);
}

/** Resolves when none of the processes runs any more. */
export async function ended(pids: readonly number[]): Promise<void> {
  await until(() => !pids.some(isRunning) || undefined);
}

/** A zombie, which has ended but was not waited for by its parent, does not run. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] === 'Z';
  } catch {
    return true;
  }
}
