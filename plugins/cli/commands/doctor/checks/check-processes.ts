import type { Finding } from '../../../../../kernel/index.ts';
import { excerpt, messageOf } from '../../../../../kernel/index.ts';
import { limitedNode, permissionFlag } from '../../../../shared/process/limited-node.ts';
import { minimalEnvironment, type RunProgram, runProgram } from '../../../../shared/process/program.ts';

const check = 'Processes';

/** Longer than Node takes to start, in milliseconds. */
const timeoutMs = 30_000;

/** Starts a child process with the limits that apply to reading foreign texts, and reports limits that this machine cannot set. */
export async function checkProcesses(run: RunProgram = runProgram, permission: string | null = permissionFlag() ?? null): Promise<Finding> {
  const { program, args } = limitedNode('--print', { heapMb: 512, nativeMb: 150, reads: [] });
  const refused = await run(program, [...args, '1'], {
    env: minimalEnvironment(),
    signal: AbortSignal.timeout(timeoutMs),
    maxOutputBytes: 64 * 1024,
    // Own text: the error of a program of ours
  }).then(({ exitCode, stderr }) => (exitCode === 0 ? undefined : (stderr.toString().trim().split('\n').at(-1) ?? '')), messageOf);
  if (refused !== undefined)
    return {
      check,
      state: 'warning',
      message: `no child process can be started (${excerpt(refused)}), so threads read foreign texts, and a text that crashes one ends the server`,
      hint: 'Let this account start /bin/sh and node, with 800 MB of data each (ulimit -d) and as many processes as maxProcesses says (ulimit -u).',
    };
  if (permission !== null)
    return { check, state: 'ok', message: 'child processes for foreign texts can be started, without rights to write' };
  return {
    check,
    state: 'warning',
    message: 'child processes for foreign texts can be started, but this Node cannot restrict their file access',
    hint: 'Run Node 20.19 or newer.',
  };
}
