import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Returns the number of a process that has ended. */
export async function formerPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  if (child.pid === undefined) throw new Error('the process did not start');
  return child.pid;
}
