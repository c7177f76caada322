import type { PluginCheck } from '../../kernel/index.ts';
import type { SandboxOptions } from './options.ts';

/** Check of the program that makes sandboxes. */
export const sandboxChecks: readonly PluginCheck<SandboxOptions>[] = [
  {
    name: 'Sandbox',
    run: async (options, services) => [await (await import('./check-sandbox.ts')).checkSandbox(options, services)],
  },
];
