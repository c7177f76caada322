import type { Kernel, Tool } from '../../../kernel/index.ts';
import { providerOf } from '../../shared/exposure/provider-of.ts';

/**
 * Without the tools of providers that nobody uses: they came with the program, the project does not name them, and nobody has a secret of theirs.
 * Secrets must be resolved before.
 */
export function usedTools(kernel: Pick<Kernel, 'resolverOf'>, tools: readonly Tool[]): readonly Tool[] {
  const isAsked = ({ origin }: Tool): boolean => origin.package?.isUnasked !== true;
  const isSupplied = ({ credentials }: Tool): boolean =>
    credentials.length === 0 || credentials.some(({ secret }) => kernel.resolverOf(secret) !== undefined);
  const used = new Set(tools.filter((tool) => isAsked(tool) || isSupplied(tool)).map(providerOf));
  return tools.filter((tool) => used.has(providerOf(tool)));
}
