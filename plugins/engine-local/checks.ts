import type { CheckServices, Finding, PluginCheck } from '../../kernel/index.ts';

/** Check of the durable calls of whatever engine: those that no process of this configuration can run. */
export const callChecks: readonly PluginCheck<unknown>[] = [
  {
    name: 'Calls',
    async run(_options, services: CheckServices): Promise<readonly Finding[]> {
      if (services.kernel === undefined || services.state?.isShared !== true) return [];
      return (await import('./check-calls.ts')).checkCalls(services.kernel);
    },
  },
];
