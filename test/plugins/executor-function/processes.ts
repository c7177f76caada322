import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** True while a process runs; one that has ended and waits to be collected by its parent does not. */
async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

/** Resolves when a process has ended. */
export async function ended(pid: number): Promise<void> {
  while (await isRunning(pid));
}
