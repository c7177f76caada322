import { type StateStore, ToolkitError } from '../../kernel/index.ts';

/**
 * Throws PLUGIN_INVALID for a store that several machines share. This engine goes by what holds on one: each process looks for calls itself,
 * and one clock decides when they may begin.
 */
export function refuseSeveralMachines({ spansMachines = false }: Pick<StateStore, 'spansMachines'>): void {
  if (!spansMachines) return;
  throw new ToolkitError(
    'PLUGIN_INVALID',
    'engine-local in this configuration is the engine of one machine: expected storeLibsql() or no store, received a store that several machines share (spansMachines), such as storePostgres(). List engineBullmq() ("toolkit/plugins/engine-bullmq") in its place, and run: npm install bullmq. It has the calls that engine-local stored there.',
  );
}
