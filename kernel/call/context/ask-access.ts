import { excerpt, messageOf, ToolkitError } from '../../errors.ts';
import type { MaybePromise } from '../../time/maybe-promise.ts';
import type { CallAccounts } from './call-accounts.ts';
import type { CallContext } from './context.ts';

/** The call that may lack an account. */
interface AccessCall extends Pick<CallContext, 'caller' | 'tool' | 'client' | 'isTrial' | 'mask'> {
  readonly accountTenant: string;
  readonly accounts?: Pick<CallAccounts, 'lackBehind'>;
  readonly abortReason: ToolkitError | undefined;
}

/** Runs work that asks a person, within its time limit. The signal aborts at the limit. */
type Asking = (work: (signal: AbortSignal) => Promise<boolean>) => MaybePromise<boolean>;

/**
 * Runs work that may fail because the caller has not connected an account, or its account lacks scopes (AUTH_REQUIRED). If the source of that error
 * can ask the caller's person, asks once, and runs the work again after a yes. A trial asks no person.
 */
export async function withAccess<T>(run: AccessCall, work: () => MaybePromise<T>, asking: Asking): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (run.isTrial || !(await isGranted(run, error, asking))) throw error;
  }
  return work();
}

async function isGranted(run: AccessCall, error: unknown, asking: Asking): Promise<boolean> {
  const lack = ToolkitError.is(error) && error.code === 'AUTH_REQUIRED' ? run.accounts?.lackBehind(error) : undefined;
  const { source, plugin } = lack ?? {};
  if (lack === undefined || source?.ask === undefined) return false;
  const { caller, accountTenant: tenant, tool, client } = run;
  try {
    return await asking(async (signal) => (await source.ask?.({ caller, tenant, tool, error: lack.error, client, signal })) === true);
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
