import {
  type ApprovalDecision,
  type CallContext,
  type Decider,
  type HeldCall,
  isLostCall,
  type Reason,
  ToolkitError,
} from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { type ChangedRecord, changeRecord, endRecord, eventOf } from './change-record.ts';
import { decideRecord } from './decide.ts';
import { decisionElsewhere, decisionOf, waitElsewhere } from './decision-elsewhere.ts';
import { foldedName, isRequester } from './folded-name.ts';
import { deniedError, undecidedError, usedApprovalError, withAdvice } from './held-errors.ts';
import { isOpen, type StoredApproval } from './records/stored-approval.ts';
import type { WaitingCalls } from './waiting-calls.ts';

/** Services of the calls of this process that wait. */
export interface HeldCallServices extends ApprovalParts {
  readonly waiting: WaitingCalls;
  /** Starts what a yes allows, and tells those who are concerned. */
  readonly afterDecision: (record: StoredApproval) => Promise<void>;
}

/** One call of this process that waits for its record. */
export class WaitingCall implements HeldCall {
  readonly id: string;
  readonly isShared: boolean;
  readonly changed?: readonly string[];
  readonly approvers: number;
  readonly #services: HeldCallServices;
  readonly #context: CallContext;
  readonly #once: string | undefined;
  /** Deciders who said yes here, to one reason each. */
  readonly #approved: Decider[] = [];
  #isOver = false;
  /** True when the person whom this call has asked said no. */
  #isRefusing = false;
  /** True when the host says that it needs no answer. */
  #isWithdrawn = false;

  /** `once`: the name that the call has of its own. */
  constructor(services: HeldCallServices, record: StoredApproval, context: CallContext, once: string | undefined) {
    this.#services = services;
    this.#context = context;
    this.#once = once;
    this.id = record.id;
    this.approvers = record.approvers;
    this.isShared = services.isShared;
    if (record.replaces !== undefined) this.changed = record.replaces.changed;
  }

  async decide(reason: Reason, ask: (signal: AbortSignal) => Promise<ApprovalDecision | undefined>): Promise<ApprovalDecision | undefined> {
    // Decided before this call asked: nobody is asked again.
    const before = (await this.#services.records.read(this.id))?.record;
    const { signal, client } = this.#context;
    const isAnswered = client.answersRecord === this.id;
    if (before?.status !== 'waiting' && !isAnswered) return decisionOf(this.#names, before);
    const here = new AbortController();
    const elsewhere = new AbortController();
    const decidedElsewhere = decisionElsewhere(this.#services, this.id, this.#names.tool, elsewhere.signal);
    // A rejection of the loser is no error of the call.
    decidedElsewhere.catch(() => {});
    const asked = this.#askHere(reason, ask, here.signal, decidedElsewhere);
    asked.catch(() => {});
    // The question ends with the call.
    const end = (): void => here.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    try {
      // Its answer is here already, and a no ends this call even when another person has approved.
      if (isAnswered) return await asked;
      // A no of this call's own person is reported as theirs, and not as that of the record.
      return await Promise.race([decidedElsewhere.then((decision) => (this.#isRefusing ? asked : decision)), asked]);
    } finally {
      signal.removeEventListener('abort', end);
      here.abort(new ToolkitError('ABORTED', 'The approval was decided elsewhere.', { isDecidedElsewhere: true }));
      elsewhere.abort();
    }
  }

  async #askHere(
    why: Reason,
    ask: (signal: AbortSignal) => Promise<ApprovalDecision | undefined>,
    signal: AbortSignal,
    decidedElsewhere: Promise<ApprovalDecision>,
  ): Promise<ApprovalDecision | undefined> {
    let decision: ApprovalDecision | undefined;
    try {
      decision = await ask(signal);
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'APPROVAL_REQUIRED') throw error;
      this.#isWithdrawn = ToolkitError.is(error.cause) && error.cause.details['isWithdrawn'] === true;
      const canWait = error.details.clientLacks?.includes('elicit') === true;
      if (canWait && (await this.#waits(decidedElsewhere))) return decidedElsewhere;
      throw withAdvice(error, this.#names);
    }
    if (decision === undefined) {
      if (await this.#waits(decidedElsewhere)) return decidedElsewhere;
      throw undecidedError(this.#names, why.message);
    }
    const by = this.#deciderOf(decision);
    if (decision.approved === true) {
      this.#approved.push(by);
      return { ...decision, record: this.id };
    }
    const { reason } = decision;
    this.#isRefusing = true;
    try {
      const record = await decideRecord(this.#services, this.id, { approve: false, by, ...(reason === undefined ? {} : { reason }) });
      await this.#services.afterDecision(record);
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'INVALID_PARAMETERS') throw error;
      // Another person was first.
      if (this.#context.client.answersRecord !== this.id) return decidedElsewhere;
      return { ...decision, record: this.id, reason: error.message };
    }
    return { ...decision, record: this.id };
  }

  /** A claim is the caller's own, whoever it says has agreed. */
  #deciderOf({ isClaim, decider, by }: ApprovalDecision): Decider {
    if (isClaim === true) return { way: 'claim', name: this.#context.caller };
    return decider ?? { way: 'plugin', name: by };
  }

  async begin(): Promise<string | undefined> {
    const { waiting, now, process } = this.#services;
    // The run of a tool that only reads has no result for others: one call takes the approval.
    const isTaken = this.#once === undefined && this.#context.tool.annotations.readOnlyHint === true;
    const done = await changeRecord(this.#services, this.id, (record) => {
      if (isTaken && record.status === 'approved') return { ...record, status: 'used' };
      if (record.status !== 'waiting' || record.expiresAt <= now()) return undefined;
      const names = new Set(record.decisions.filter(({ approve }) => approve).map(({ by }) => foldedName(by.name)));
      const mayCount = (by: Decider): boolean => record.approvers === 1 || !isRequester(by, record);
      const added = this.#approved.filter((by) => mayCount(by) && !names.has(foldedName(by.name)));
      const decisions = [...record.decisions, ...distinct(added).map((by) => ({ approve: true, by, at: now() }))];
      if (decisions.filter(({ approve }) => approve).length < record.approvers) return { ...record, decisions };
      // The record counts in one step with each call that joins: one that is about to wait is not in any memory yet.
      const isShared = this.#once !== undefined || (record.count > 1 && !isTaken);
      return { ...record, decisions, status: isShared ? 'approved' : 'used' };
    });
    const record = done?.record;
    if (record?.status === 'waiting')
      throw record.expiresAt <= now()
        ? deniedError(this.#names, record)
        : undecidedError(this.#names, `it needs ${record.approvers} approvers besides its caller`);
    if (record?.status !== 'approved' && record?.status !== 'used') throw deniedError(this.#names, record);
    if (isTaken && done?.isChanged !== true) throw usedApprovalError(this.#names, record);
    if (done?.isChanged === true) await this.#changedHere(done);
    this.#isOver = true;
    waiting.leave(this.id);
    // Alone, and decided by its own client: no other call can run it.
    const isAlone = done?.isChanged === true && record.status === 'used';
    // A durable call that runs the approval leaves its result to the next equal call, and one that asked is followed by its engine. Others count as
    // waiting until they have run.
    const isFollowed = !isAlone && this.#once !== this.id && this.#context.client.onHeld === undefined;
    if (isFollowed) waiting.began(this.#context.callId, this.id);
    else process.leave();
    if (isAlone) return undefined;
    return this.#once === undefined ? this.id : undefined;
  }

  /** Reports the yes that was given here, if it was not given before, and the run. */
  async #changedHere({ before, record }: ChangedRecord): Promise<void> {
    const { host } = this.#services;
    const isDecidedHere = before.status === 'waiting';
    const by = record.decisions.findLast(({ approve }) => approve)?.by;
    if (isDecidedHere) host.report(eventOf(record, 'approved', by === undefined ? {} : { by }));
    if (record.status === 'used') host.report(eventOf(record, 'used'));
    if (isDecidedHere) await this.#services.afterDecision(record);
  }

  async leave(changed?: readonly string[]): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { waiting, process, entries } = this.#services;
    const isLast = waiting.leave(this.id);
    process.leave();
    if (changed !== undefined) {
      await endRecord(this.#services, this.id, 'void', `since the question, ${changed.join(' and ')} changed`, ['waiting']);
      return;
    }
    if (!isLast) return;
    const done = await changeRecord(this.#services, this.id, (record) =>
      record.waiting.includes(process.id) ? { ...record, waiting: record.waiting.filter((member) => member !== process.id) } : undefined,
    );
    if (done === undefined) return;
    // The caller knows the end now.
    if (!isOpen(done.record, this.#services.now())) return entries.close(done.record, done.record.callHash, this.id);
    const isAlone = done.record.waiting.length === 0 && done.record.runsAs === undefined;
    if (this.#isCancelled && isAlone) await endRecord(this.#services, this.id, 'withdrawn', 'its client has cancelled it');
    else if (!done.record.isKept && isAlone)
      await endRecord(this.#services, this.id, 'withdrawn', 'its call has ended, and it had credentials of its own, which are not kept');
    else if (done.record.status === 'approved') await this.#services.afterDecision(done.record);
  }

  get #names(): { readonly tool: string; readonly id: string; readonly isShared: boolean } {
    return { tool: this.#context.tool.name, id: this.id, isShared: this.isShared };
  }

  #waits(decidedElsewhere: Promise<unknown>): Promise<boolean> {
    return waitElsewhere(this.#context, { id: this.id, waitMs: this.#services.settings.waitMs }, decidedElsewhere);
  }

  /** True when the caller has taken its call back, rather than lost it. A durable call says so itself. */
  get #isCancelled(): boolean {
    const { signal, client } = this.#context;
    return this.#isWithdrawn || (client.onHeld === undefined && signal.aborted && !isLostCall(signal.reason));
  }
}

function distinct(deciders: readonly Decider[]): readonly Decider[] {
  return [...new Map(deciders.map((one) => [foldedName(one.name), one] as const)).values()];
}
