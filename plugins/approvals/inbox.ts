import {
  type ApprovalAnswer,
  type ApprovalDetails,
  type ApprovalFilter,
  type ApprovalInbox,
  type ApprovalPage,
  type ApprovalRecord,
  type CallContext,
  type CallEnd,
  type CallToHold,
  type Decider,
  type HeldCall,
  type ManyDecided,
  type MaybePromise,
  messageOf,
  ToolkitError,
} from '../../kernel/index.ts';
import { allRecords } from './all-records.ts';
import { refuseLateAnswer } from './answered-record.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { askAgain } from './ask-again.ts';
import { changeRecord, eventOf } from './change-record.ts';
import { decideRecord, notFound } from './decide.ts';
import { approvalDetails } from './details.ts';
import { dispatchApproved, isAwaited } from './dispatch.ts';
import { endWithCall, followUp } from './follow-up.ts';
import { type HeldCallServices, WaitingCall } from './held-call.ts';
import { rememberLast } from './last-approved.ts';
import { listRecords } from './list-records.ts';
import { openRecord } from './open-record.ts';
import type { RecordWatch } from './record-watch.ts';
import { recordKeys } from './records/record-keys.ts';
import { type StoredApproval, toApprovalRecord } from './records/stored-approval.ts';
import { WaitingCalls } from './waiting-calls.ts';
import { wakeDurable } from './wake-durable.ts';

/** The records of all callers, in the store of the configuration. */
export class StoreInbox implements ApprovalInbox {
  readonly #services: HeldCallServices;
  readonly #watch: RecordWatch;

  constructor(parts: ApprovalParts, watch: RecordWatch) {
    this.#watch = watch;
    this.#services = { ...parts, waiting: new WaitingCalls(), afterDecision: (record) => this.#afterDecision(record) };
  }

  async hold(call: CallToHold, context: CallContext): Promise<HeldCall> {
    const { process, waiting, changes } = this.#services;
    await changes.open('record/');
    await process.enter();
    const record = await refuseLateAnswer(this.#services, context)
      .then(() => openRecord(this.#services, call, context))
      .catch((error: unknown) => {
        process.leave();
        throw error;
      });
    waiting.enter(record.id);
    context.client.onHeld?.(record.id);
    return new WaitingCall(this.#services, record, context, call.call.once);
  }

  list(filter: ApprovalFilter): Promise<ApprovalPage> {
    return listRecords(this.#services, filter);
  }

  async get(id: string): Promise<ApprovalDetails> {
    const read = await this.#services.records.read(id);
    if (read === undefined) throw notFound(id);
    return approvalDetails(this.#services, read.record);
  }

  async decide(id: string, answer: ApprovalAnswer): Promise<ApprovalRecord> {
    const whyNot = async (record: StoredApproval): Promise<string | undefined> =>
      record.isKept || (await isAwaited(this.#services, record))
        ? undefined
        : 'cannot be approved any more: its call had credentials of its own, which are not kept, and its client no longer waits';
    const record = await decideRecord(this.#services, id, answer, whyNot).catch(async (error: unknown) => {
      // Decided by a process that ended before it could act on it, or expired just now.
      if (ToolkitError.is(error) && error.details['decided'] !== undefined) await followUp(this.#services, id);
      throw error;
    });
    if (answer.hold !== undefined && !answer.approve) await this.#holdRefusal(record, answer);
    await this.#afterDecision(record);
    // With the durable call that now runs it.
    return toApprovalRecord((await this.#services.records.read(id))?.record ?? record);
  }

  async decideMany(
    filter: Omit<ApprovalFilter, 'status' | 'after'>,
    answer: Omit<ApprovalAnswer, 'digest'>,
  ): Promise<readonly ManyDecided[]> {
    const decided: ManyDecided[] = [];
    const { limit = Number.POSITIVE_INFINITY, ...wanted } = filter;
    for await (const { id } of allRecords(this.#services, { ...wanted, status: 'waiting' })) {
      if (decided.length >= limit) break;
      decided.push(
        await this.decide(id, answer).then(
          (approval) => ({ id, approval }),
          (error: unknown) => ({ id, failure: messageOf(error) }),
        ),
      );
    }
    return decided;
  }

  async change(id: string, parameters: Readonly<Record<string, unknown>>, by: Decider): Promise<ApprovalRecord> {
    const read = await this.#services.records.read(id);
    if (read === undefined) throw notFound(id);
    const next = await askAgain(this.#services, read.record, parameters);
    await this.decide(id, { approve: false, by, reason: `asked again with other arguments, as ${next.id}` });
    return toApprovalRecord(next);
  }

  async erase({ caller, tenant }: { readonly caller: string; readonly tenant?: string }, by: Decider): Promise<number> {
    const { records, entries, host } = this.#services;
    let erased = 0;
    for await (const { id } of allRecords(this.#services, { caller, ...(tenant === undefined ? {} : { tenant }) })) {
      for (let read = await records.read(id); read !== undefined; read = await records.read(id)) {
        if (!(await records.delete(read))) continue;
        await entries.forget(read.record);
        await records.values.state.delete(recordKeys.last(read.record, read.record.tool));
        erased++;
        break;
      }
    }
    host.report({ event: 'erased', id: '', caller, ...(tenant === undefined ? {} : { tenant }), by, reason: `${erased} records` });
    return erased;
  }

  dispatch(id: string): Promise<void> {
    return followUp(this.#services, id);
  }

  watch(onChange: () => void): Promise<() => Promise<void>> {
    return this.#watch.watch(onChange);
  }

  callEnded(...given: Parameters<NonNullable<ApprovalInbox['callEnded']>>): Promise<void> {
    return endWithCall(this.#services, ...given);
  }

  /** Ends the use of an approval with the call that ran by it. */
  settle({ id: callId, outcome }: Pick<CallEnd, 'id' | 'outcome'>): MaybePromise<void> {
    const id = this.#services.waiting.ended(callId);
    // After the record says so: until then no other process may run it.
    return id === undefined ? undefined : this.#use(id, outcome).finally(() => this.#services.process.leave());
  }

  async #use(id: string, outcome: CallEnd['outcome']): Promise<void> {
    const isAgain = outcome.type === 'failed' && outcome.error.retryable;
    const done = await changeRecord(this.#services, id, (record) => {
      // A durable call may run again by itself under the same name, and its result is fetched by an equal call.
      const isOver = record.status === 'approved' && (record.once === undefined || !isAgain);
      return isOver ? { ...record, status: 'used' } : undefined;
    });
    if (done?.isChanged === true) this.#services.host.report(eventOf(done.record, 'used'));
    // Its caller has the result of the durable call now.
    else if (done?.record.status === 'used') await this.#services.entries.close(done.record, done.record.callHash, id);
  }

  async #afterDecision(record: StoredApproval): Promise<void> {
    const { logger } = this.#services;
    try {
      if (record.status === 'approved' || record.status === 'used') await rememberLast(this.#services, record);
      if (record.status === 'approved') await dispatchApproved(this.#services, record);
      else if (record.status === 'refused') await wakeDurable(this.#services, record);
    } catch (error) {
      // A serving process does it later.
      logger.warn(`what follows the decision about the approval ${record.id} is not done yet: ${messageOf(error)}`, { tool: record.tool });
    }
  }

  #holdRefusal({ tool, callHash, decisions, ...owner }: StoredApproval, { hold, by }: ApprovalAnswer): Promise<void> {
    const { entries, now, settings } = this.#services;
    const reason = decisions.at(-1)?.reason;
    const until = now() + settings.refusalMs;
    const refusal = { tool, until, by, ...(hold === 'tool' ? {} : { callHash }), ...(reason === undefined ? {} : { reason }) };
    return entries.update(owner, ({ open, refusals }) => ({
      open,
      refusals: [...refusals.filter((one) => one.until > now()).slice(-99), refusal],
    }));
  }
}
