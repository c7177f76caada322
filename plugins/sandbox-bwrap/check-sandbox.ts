import type { CheckServices, Finding } from '../../kernel/index.ts';
import { findBubblewrap } from '../shared/process/bubblewrap.ts';
import type { SandboxOptions } from './options.ts';

const check = 'Sandbox';

/** Reports the sandbox for programs that this machine supports, even when the configuration uses none. */
export async function checkSandbox(
  { program }: Pick<SandboxOptions, 'program'>,
  { isListed, env }: Pick<CheckServices, 'isListed' | 'env'>,
): Promise<Finding> {
  const found = await findBubblewrap(program, env);
  if (found.type === 'works')
    return {
      check,
      state: 'ok',
      message: `bubblewrap ${found.version} ${isListed ? 'runs the programs of tools' : 'works, and nothing here uses it'}`,
    };
  if (!isListed) return { check, state: 'ok', message: `${found.message}; nothing here needs it` };
  return { check, state: 'problem', message: `${found.message}; calls of tools that start a program are refused`, hint: found.hint };
}
