import path from 'node:path';
import { minimalEnvironment } from '../../../../shared/process/program.ts';

/** True where git would take the file up: it is in a repository that does not ignore it. False where that cannot be found out. */
export async function isCommittable(file: string): Promise<boolean> {
  const { execa } = await import('execa');
  // A repository may name a program as its monitor of files.
  const { exitCode } = await execa('git', ['-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', '--', file], {
    cwd: path.dirname(file),
    env: minimalEnvironment(),
    extendEnv: false,
    stdio: 'ignore',
    reject: false,
  });
  return exitCode === 1;
}
