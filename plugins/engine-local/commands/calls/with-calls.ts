import { type CommandInvocation, type DurableCalls, type Kernel, ToolkitError } from '../../../../kernel/index.ts';
import { StoreProbe } from '../../../shared/state/store-probe.ts';

const engineAdvice =
  'List engineLocal() ("toolkit/plugins/engine-local") and storeLibsql() ("toolkit/plugins/store-libsql") on one machine, engineBullmq() and storePostgres() on several';

/**
 * Runs `work` with the durable calls of the configuration. Throws PLUGIN_INVALID when no plugin stores calls.
 * Prints a note when only this process could know of the calls.
 */
export async function withCalls<T>(
  { createKernel, note }: Pick<CommandInvocation, 'createKernel' | 'note'>,
  work: (calls: DurableCalls, kernel: Kernel) => Promise<T>,
): Promise<T> {
  const probe = new StoreProbe();
  const kernel = await createKernel({}, (options) => ({ ...options, plugins: [...options.plugins, probe.plugin] }));
  try {
    await requireEngine(kernel.calls);
    if (probe.state?.isShared !== true) note(noStoreNote);
    return await work(kernel.calls, kernel);
  } finally {
    await kernel.close();
  }
}

const noStoreNote =
  'This configuration has no store, so each process knows only its own calls, and this one has just started. List storeLibsql() ("toolkit/plugins/store-libsql").\n';

/** Throws PLUGIN_INVALID when no plugin stores durable calls, STATE_UNAVAILABLE when their store cannot be reached. */
export async function requireEngine(calls: DurableCalls): Promise<void> {
  try {
    await calls.list({ limit: 1 });
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'PLUGIN_INVALID') throw error;
    throw new ToolkitError(error.code, `No engine for durable calls is configured. ${engineAdvice}.`, {}, { cause: error });
  }
}
