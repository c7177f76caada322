import { type Kernel, messageOf, ToolkitError } from '../../../../../kernel/index.ts';
import type { Finding } from './finding.ts';

const check = 'Configuration';

export type Opened = { readonly kernel: Kernel } | { readonly failure: unknown };

/** Reports the configuration in effect, or why it cannot be used. */
export function checkConfiguration(file: string | undefined, opened: Opened): Finding {
  if ('kernel' in opened)
    return { check, state: 'ok', message: file ?? 'no file: the standard plugins, with the tools of installed packages' };
  const { failure } = opened;
  return {
    check,
    state: 'problem',
    message: ToolkitError.is(failure) ? `${failure.code}: ${failure.message}` : messageOf(failure),
    hint: 'Correct it, then run "toolkit doctor" again: what depends on it was not checked.',
  };
}
