import type { Tool } from '../../../kernel/index.ts';

/** The name of the provider of a tool; `none` when it has none. */
export function providerOf(tool: Tool): string {
  return tool.provider?.name ?? 'none';
}
