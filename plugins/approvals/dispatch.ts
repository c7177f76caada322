import { ToolkitError } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { changeRecord } from './change-record.ts';
import { recordKeys } from './records/record-keys.ts';
import type { StoredApproval } from './records/stored-approval.ts';
import { wakeDurable } from './wake-durable.ts';

/** The way in which an approved call runs. `waiting`: where its client waits. `permit`: by the next equal call. `later`: to be tried again. */
export type Dispatched = 'waiting' | 'durable' | 'permit' | 'later';

/** Errors after which no durable call can run a record: without an engine, without the tool, or with parameters that are not stored. */
const permitCodes: ReadonlySet<string> = new Set(['PLUGIN_INVALID', 'TOOL_NOT_FOUND', 'INVALID_PARAMETERS']);

/** Starts what a yes allows. Several processes may do so: the effect has one name, so that it happens once. */
export async function dispatchApproved(parts: ApprovalParts, record: StoredApproval): Promise<Dispatched> {
  const woken = await wakeDurable(parts, record);
  if (woken !== 'none') return woken === 'woken' ? 'durable' : 'later';
  if (await isAwaited(parts, record)) return 'waiting';
  // The last call that waited may have run and left since the record was read.
  const latest = (await parts.records.read(record.id))?.record;
  if (latest?.status !== 'approved' || latest.runsAs !== undefined) return 'waiting';
  if (!record.isRunAnywhere || record.parameters === undefined || record.once !== undefined) return settled(parts, record, 'permit');
  return submit(parts, record);
}

/** True while a process waits for the record and lives. */
export async function isAwaited({ process }: Pick<ApprovalParts, 'process'>, { waiting }: StoredApproval): Promise<boolean> {
  for (const member of waiting) if (!(await process.isDead(member))) return true;
  return false;
}

async function submit(parts: ApprovalParts, record: StoredApproval): Promise<Dispatched> {
  const { id, tool, caller, tenant, origin, trace, parameters = {}, given = parameters } = record;
  try {
    const more = { ...(tenant === caller ? {} : { accountTenant: tenant }), ...(trace === undefined ? {} : { trace }) };
    await parts.kernel().calls.submit(tool, given, { durable: true, id, caller, origin, ...more });
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return permitCodes.has(error.code) ? settled(parts, record, 'permit') : 'later';
  }
  await changeRecord(parts, id, (found) =>
    found.status === 'approved' && found.runsAs === undefined ? { ...found, runsAs: { caller, id } } : undefined,
  );
  return 'durable';
}

/** Takes the record out of those that no process has started yet. */
async function settled({ records }: ApprovalParts, { id }: StoredApproval, how: Dispatched): Promise<Dispatched> {
  await records.values.state.delete(recordKeys.ready(id));
  return how;
}
