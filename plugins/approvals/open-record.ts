import { type CallContext, type CallToHold, changedIn, excerpt, ToolkitError, traceContext } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { changeRecord, endRecord, eventOf } from './change-record.ts';
import { deciderText } from './decided-text.ts';
import { type CallDigests, callDigests } from './digests.ts';
import { expireRecord } from './expire.ts';
import { deniedError } from './held-errors.ts';
import { newRecord, type Opening } from './new-record.ts';
import type { CallerEntry, HeldRefusalEntry, ReadEntry } from './records/caller-entry.ts';
import { isOpen, isUntold, type StoredApproval } from './records/stored-approval.ts';

/**
 * Opens the record of a call: that of an equal call which waits or is approved, else a new one. Of equal calls that ask at the same time, in any
 * process, one makes it. Throws APPROVAL_DENIED while a refusal holds, RATE_LIMITED when too many records of the caller wait, and INVALID_PARAMETERS
 * for parameters that are too large to be put to a person.
 */
export async function openRecord(parts: ApprovalParts, held: CallToHold, context: CallContext): Promise<StoredApproval> {
  const owner = { tenant: context.accountTenant ?? context.tenant, caller: context.caller };
  const trace = context.span === undefined ? undefined : traceContext(context.span.context);
  const opening = { held, owner, digests: await callDigests(held, owner), trace };
  const own = await recordOfEffect(parts, opening);
  if (own !== undefined) return own;
  for (let replaces: StoredApproval['replaces']; ; ) {
    const read = await parts.entries.read(owner);
    refuseHeld(parts, opening, read.entry);
    const id = read.entry.open[opening.digests.callHash];
    const joined = id === undefined ? undefined : await join(parts, id, opening);
    if (joined?.record !== undefined) return joined.record;
    replaces = joined?.replaces ?? replaces;
    const created = await create(parts, opening, read, replaces);
    if (created !== undefined) return created;
  }
}

/** Returns the approved record that this call has the name of: a durable call that runs an approval. */
async function recordOfEffect(parts: ApprovalParts, { held: { call }, owner, digests }: Opening): Promise<StoredApproval | undefined> {
  if (call.once === undefined) return undefined;
  const record = (await parts.records.read(call.once))?.record;
  const isOwn = record?.runsAs !== undefined || record?.status === 'approved';
  if (record === undefined || !isOwn || record.caller !== owner.caller || record.tenant !== owner.tenant || record.tool !== call.tool.name)
    return undefined;
  if (record.status === 'approved' && record.digest === digests.digest && record.expiresAt > parts.now()) return record;
  if (record.status === 'approved') await endVoid(parts, record, digests);
  return undefined;
}

/** Joins an open record. `replaces`: it was about another state, and is void. */
async function join(
  parts: ApprovalParts,
  id: string,
  { digests, held }: Opening,
): Promise<{ readonly record?: StoredApproval; readonly replaces?: StoredApproval['replaces'] }> {
  const { process, now } = parts;
  const found = (await parts.records.read(id))?.record;
  if (found === undefined) return {};
  if (found.runsAs !== undefined && (await hasBegun(parts, held, found))) return { record: found };
  if (!isOpen(found, now())) {
    await reportEnd(parts, (await expireRecord(parts, id)) ?? found);
    return {};
  }
  if (found.digest !== digests.digest) return { replaces: { id, changed: held.changed ?? (await endVoid(parts, found, digests)) } };
  const done = await changeRecord(parts, id, (record) =>
    isOpen(record, now()) && record.digest === digests.digest
      ? { ...record, count: record.count + 1, waiting: [...new Set([...record.waiting, process.id])] }
      : undefined,
  );
  return done?.isChanged === true ? { record: done.record } : {};
}

/**
 * Returns true when the durable call of a record has had its effect, or is about to: an equal call then gets its result, also where the call itself has
 * changed what it was approved for, such as a file.
 */
async function hasBegun({ host }: ApprovalParts, { call: { tool } }: CallToHold, { id, caller }: StoredApproval): Promise<boolean> {
  return (await host.effectOf({ tool: tool.name, caller, once: id }, tool)).state !== 'none';
}

/** Throws APPROVAL_DENIED when the caller does not know yet that its call was refused, or that nobody decided in time. */
async function reportEnd({ entries, now, settings }: ApprovalParts, record: StoredApproval): Promise<void> {
  if (!isUntold(record) || record.status === 'used') return;
  await entries.close(record, record.callHash, record.id);
  if (now() - (record.endedAt ?? 0) < settings.ttlMs) throw deniedError(record, record);
}

/** Ends a record about another state. Returns the changes in words. */
async function endVoid(parts: ApprovalParts, record: StoredApproval, { parts: now }: CallDigests): Promise<readonly string[]> {
  const changed = changedIn(record.parts, now).map((name) => (name === 'policy' ? 'the rules that ask' : `its ${name}`));
  await endRecord(parts, record.id, 'void', `since the question, ${changed.join(' and ')} changed`);
  return changed;
}

async function create(
  parts: ApprovalParts,
  opening: Opening,
  read: ReadEntry,
  replaces: StoredApproval['replaces'],
): Promise<StoredApproval | undefined> {
  const { owner, held, digests } = opening;
  const { entries, records, host, now, settings, outbox } = parts;
  const open = Object.keys(read.entry.open).length < settings.maxWaiting ? read.entry.open : await stillWaiting(parts, opening, read.entry);
  const record = newRecord(parts, opening, replaces);
  const refusals = read.entry.refusals.filter(({ until }) => until > now());
  const next = { open: { ...open, [digests.callHash]: record.id }, refusals };
  const also = [...records.changesFor(record, now()), ...outbox(record)];
  if (!(await entries.replace(owner, read, next, also))) return undefined;
  host.report(eventOf(record, 'asked', { reason: held.reasons.map(({ message }) => message).join('; ') }));
  return record;
}

/** Returns the open records of the caller, without those that have ended. Throws RATE_LIMITED when too many wait. */
async function stillWaiting(
  { records, now, settings }: ApprovalParts,
  { owner, held }: Opening,
  entry: CallerEntry,
): Promise<CallerEntry['open']> {
  const kept: [string, string][] = [];
  let waiting = 0;
  for (const [callHash, id] of Object.entries(entry.open)) {
    const record = (await records.read(id))?.record;
    if (record === undefined || !isOpen(record, now())) continue;
    if (record.status === 'waiting') waiting++;
    kept.push([callHash, id]);
  }
  if (waiting < settings.maxWaiting) return Object.fromEntries(kept);
  const { name } = held.call.tool;
  throw new ToolkitError(
    'RATE_LIMITED',
    `"${name}" needs approval and was not run: ${waiting} calls of the caller "${owner.caller}" wait for a person already, and at most ${settings.maxWaiting} may (maxWaiting of approvals). Tell the person, and call again when some are decided.`,
    { tool: name, retryable: false },
  );
}

function refuseHeld({ now }: ApprovalParts, { held: { call }, digests }: Opening, { refusals }: CallerEntry): void {
  const { name } = call.tool;
  const holds = ({ tool, callHash, until }: HeldRefusalEntry): boolean =>
    tool === name && until > now() && (callHash === undefined || callHash === digests.callHash);
  const found = refusals.find(holds);
  if (found === undefined) return;
  const what = found.callHash === undefined ? 'calls of this tool' : 'this call';
  const because = found.reason === undefined ? '' : `: ${excerpt(found.reason)}`;
  throw new ToolkitError(
    'APPROVAL_DENIED',
    `"${name}" was not run: ${deciderText(found.by)} has refused ${what} until ${new Date(found.until).toISOString()}${because}.`,
    { tool: name },
  );
}
