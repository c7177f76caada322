import type { Kernel } from '../../../kernel/index.ts';
import type { McpOptions } from '../options.ts';

/** Returns the effective options of the server, from flags and configuration. */
export function configuredOptions({ plugins }: Pick<Kernel, 'plugins'>): McpOptions {
  return (plugins.find(({ name }) => name === 'mcp')?.options ?? {}) as McpOptions;
}
