import type { Tool } from '../../../kernel/index.ts';

/** The name of the provider of a tool; `none` when it has none. */
export function providerOf(tool: Pick<Tool, 'provider'>): string {
  return tool.provider?.name ?? 'none';
}
