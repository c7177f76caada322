import path from 'node:path';
import { minimalEnvironment } from '../../../../shared/process/program.ts';

/** True when the file is in a git repository that does not ignore it. False when git cannot tell. */
export async function isCommittable(file: string): Promise<boolean> {
  const { execa } = await import('execa');
  // A repository may configure a program as its file monitor: git must not run it.
  const { exitCode } = await execa('git', ['-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', '--', file], {
    cwd: path.dirname(file),
    env: minimalEnvironment(),
    extendEnv: false,
    stdio: 'ignore',
    reject: false,
  });
  return exitCode === 1;
}
