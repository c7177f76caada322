import type { Tool } from '../../kernel/index.ts';

/**
 * Returns the owner of a tool's code, as a key: its package, or its provider within one tool folder or plugin. Code of one
 * owner may share a process or a thread. Code of two owners never does, because everything in an interpreter can change
 * everything else in it.
 */
export function codeOwner({ origin, provider }: Tool): string {
  return origin.package?.name ?? JSON.stringify([origin.root ?? origin.plugin, provider?.name]);
}
