import type { Kernel } from '../../../../../kernel/index.ts';
import { findBubblewrap } from '../../../../shared/process/bubblewrap.ts';
import { optionsOf } from '../../../options-of.ts';
import type { Finding } from './finding.ts';

const check = 'Sandbox';

/** Reports the sandbox for programs that this machine supports, even when the configuration uses none. */
export async function checkSandbox(
  kernel: Pick<Kernel, 'plugins'> | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  const isListed = kernel?.plugins.some(({ name }) => name === 'sandbox-bwrap') === true;
  const { program } = optionsOf(kernel as Kernel | undefined, 'sandbox-bwrap');
  const found = await findBubblewrap(typeof program === 'string' ? program : undefined, env);
  if (found.type === 'works')
    return {
      check,
      state: 'ok',
      message: `bubblewrap ${found.version} ${isListed ? 'runs the programs of tools' : 'works, and nothing here uses it'}`,
    };
  if (!isListed) return { check, state: 'ok', message: `${found.message}; nothing here needs it` };
  return { check, state: 'problem', message: `${found.message}; calls of tools that start a program are refused`, hint: found.hint };
}
