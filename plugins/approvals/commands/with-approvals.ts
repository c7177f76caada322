import { type Approvals, type CommandInvocation, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { leavingRuns } from '../../shared/calls/leaves-runs.ts';
import { StoreProbe } from '../../shared/state/store-probe.ts';

/**
 * Runs `work` with the approvals of the configuration. The calls that it approves run in other processes. Throws PLUGIN_INVALID when no plugin keeps records. Prints a note when only this process
 * could know of them.
 */
export async function withApprovals<T>(
  { createKernel, note }: Pick<CommandInvocation, 'createKernel' | 'note'>,
  work: (approvals: Approvals, kernel: Kernel) => Promise<T>,
): Promise<T> {
  const probe = new StoreProbe();
  const kernel = await createKernel({}, (options) => ({ ...options, plugins: [...options.plugins, probe.plugin, leavingRuns()] }));
  try {
    if (!kernel.approvals.areKept) throw new ToolkitError('PLUGIN_INVALID', missing);
    if (probe.state?.isShared !== true) note(noStoreNote);
    return await work(kernel.approvals, kernel);
  } finally {
    await kernel.close();
  }
}

const missing =
  'This configuration keeps no approvals. List standard(), or approvals() ("toolkit/plugins/approvals") and callsOnce() ("toolkit/plugins/calls-once"), and a store: storeLibsql() on one machine, storePostgres() on several.';

const noStoreNote =
  'This configuration has no store, so each process knows only its own approvals, and this one has just started. List storeLibsql() ("toolkit/plugins/store-libsql").\n';
