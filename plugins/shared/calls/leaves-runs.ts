import { apiVersion, defineFact, definePlugin, type FactKind, type PluginApi } from '../../../kernel/index.ts';

/** States that this process ends soon: it submits durable calls, and leaves their runs to others. Its end would stop them in the middle. */
const leavesRuns: FactKind<true> = defineFact('process that leaves durable calls to others');

/** Makes the process of a command one that leaves the durable calls, which it submits, to others. */
export const leavingRuns = definePlugin({
  name: 'leaving-runs',
  apiVersion,
  apply: ({ extend }) => extend.fact(leavesRuns, true),
});

/** Returns a function that says whether this process leaves the runs to others. */
export function leavesRunsIn(api: Pick<PluginApi, 'kernel'>): () => boolean {
  return () => api.kernel.facts(leavesRuns).length > 0;
}
