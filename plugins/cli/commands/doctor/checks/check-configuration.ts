import type { Finding } from '../../../../../kernel/index.ts';
import { type Kernel, messageOf, ToolkitError } from '../../../../../kernel/index.ts';

const check = 'Configuration';

export type KernelResult = { readonly kernel: Kernel } | { readonly failure: unknown };

/** Reports the configuration in effect, or why it cannot be used. */
export function checkConfiguration(file: string | undefined, result: KernelResult): Finding {
  if ('kernel' in result)
    return { check, state: 'ok', message: file ?? 'no file: the standard plugins, with the tools of installed packages' };
  const { failure } = result;
  return {
    check,
    state: 'problem',
    message: ToolkitError.is(failure) ? `${failure.code}: ${failure.message}` : messageOf(failure),
    hint: 'Correct it, then run "toolkit doctor" again: what depends on it was not checked.',
  };
}
