import type { Tool } from '../../../kernel/index.ts';

/** Returns the name of a tool's provider; `none` when it has none. */
export function providerOf(tool: Pick<Tool, 'provider'>): string {
  return tool.provider?.name ?? 'none';
}
