import type { CheckServices, Finding } from '../../../../../kernel/index.ts';
import { checkProgram, neededBy } from '../../../../shared/checks/check-program.ts';

/** Reports the git that tools start. */
export function checkGit({ kernel, env }: Pick<CheckServices, 'kernel' | 'env'>): Promise<Finding> {
  const program = {
    check: 'git',
    program: 'git',
    args: ['--version'],
    pattern: /^git version (\S+)/,
    neededBy: neededBy(kernel, 'named git_*', ({ name }) => name.startsWith('git_')),
    install: 'Install git.',
  };
  return checkProgram(program, { env });
}
