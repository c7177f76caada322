import { excerpt, messageOf, ToolkitError } from '../../errors.ts';
import type { MaybePromise } from '../../time/maybe-promise.ts';
import type { DraftCall } from '../draft.ts';
import type { RunningCall } from './running-call.ts';

/** Runs work of the stage in which persons are asked, within its time limit. */
type Asking = (work: () => Promise<boolean>) => MaybePromise<boolean>;

/**
 * Runs stages that may fail because the caller has not connected an account (AUTH_REQUIRED). If the source of that error can ask the caller's
 * person, asks once, and runs the stages again after a yes. A trial asks no person.
 */
export async function withAccess(run: RunningCall, stages: () => MaybePromise<DraftCall>, asking: Asking): Promise<DraftCall> {
  try {
    return await stages();
  } catch (error) {
    if (run.isTrial || !(await isGranted(run, error, asking))) throw error;
  }
  return stages();
}

async function isGranted(run: RunningCall, error: unknown, asking: Asking): Promise<boolean> {
  const lack = ToolkitError.is(error) && error.code === 'AUTH_REQUIRED' ? run.accounts?.lackBehind(error) : undefined;
  const { source, plugin } = lack ?? {};
  if (lack === undefined || source?.ask === undefined) return false;
  const { caller, accountTenant: tenant, tool, client } = run;
  try {
    return await asking(async () => (await source.ask?.({ caller, tenant, tool, error: lack.error, client, signal: run.signal })) === true);
  } catch (thrown) {
    // The first error tells the caller how to log in.
    if (thrown === run.abortReason && run.abortReason?.code === 'TIMEOUT') return false;
    const details = { tool: tool.name, ...(plugin === undefined ? {} : { plugin }) };
    if (ToolkitError.is(thrown)) throw thrown.with(details);
    if (run.abortReason !== undefined) throw run.abortReason;
    const message = `Plugin "${plugin}" failed to ask for access for "${tool.name}": ${excerpt(run.mask(messageOf(thrown)))}`;
    throw new ToolkitError('PLUGIN_FAILED', message, details, { cause: thrown });
  }
}
