import type { Tool } from '../../kernel/index.ts';

/**
 * Whose code the function of a tool is. What belongs to one package, or to one provider in one folder of tools, may share a process or a
 * thread: everything in an interpreter can change everything else in it.
 */
export function codeOwner({ origin, provider }: Tool): string {
  return origin.package?.name ?? JSON.stringify([origin.root ?? origin.plugin, provider?.name]);
}
