import type { Kernel, Tool } from '../../../kernel/index.ts';
import { providerOf } from '../exposure/provider-of.ts';

/**
 * Removes the tools of unused providers: they came with the program, the project does not name them, and none of their secrets is set or
 * `connected`, supplied by an account. Secrets must be resolved before (`kernel.resolveSecrets`).
 */
export function usedTools(
  kernel: Pick<Kernel, 'resolverOf'>,
  tools: readonly Tool[],
  connected: ReadonlySet<string> = new Set(),
): readonly Tool[] {
  const isNamed = ({ origin }: Tool): boolean => origin.package?.isUndeclared !== true;
  const isSupplied = ({ credentials }: Tool): boolean =>
    credentials.length === 0 || credentials.some(({ secret }) => connected.has(secret) || kernel.resolverOf(secret) !== undefined);
  const used = new Set(tools.filter((tool) => isNamed(tool) || isSupplied(tool)).map(providerOf));
  return tools.filter((tool) => used.has(providerOf(tool)));
}
