import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { LaunchedProgram } from '../../../kernel/index.ts';
import { giveInstructions } from '../../../plugins/shared/process/program.ts';

/** Spawns a launched program as another account, and gives what it prints. */
export async function spawnAs(account: number, { program, args, env, cwd, instructions = '' }: LaunchedProgram) {
  const child = spawn(program, args, { env, cwd, uid: account, gid: account, stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'pipe'] });
  giveInstructions(child.stdio[4] as never, instructions);
  const [stdout, stderr] = await Promise.all([text(child.stdout as never), text(child.stderr as never), once(child, 'close')]);
  return { stdout, stderr };
}
