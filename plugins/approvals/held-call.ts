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
import { changeRecord, endRecord, eventOf } from './change-record.ts';
import { decideRecord } from './decide.ts';
import { approversText, decidedText } from './decided-text.ts';
import { expireRecord } from './expire.ts';
import { foldedName } from './folded-name.ts';
import { recordKeys } from './records/record-keys.ts';
import type { StoredApproval } from './records/stored-approval.ts';
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

  async decide(
    _reason: Reason,
    ask: (signal: AbortSignal) => Promise<ApprovalDecision | undefined>,
  ): Promise<ApprovalDecision | undefined> {
    // Decided before this call asked: nobody is asked again.
    const before = (await this.#services.records.read(this.id))?.record;
    const { signal, client } = this.#context;
    const isAnswered = client.answersRecord === this.id;
    if (before?.status !== 'waiting' && !isAnswered) return this.#decisionOf(before);
    const here = new AbortController();
    const elsewhere = new AbortController();
    const decidedElsewhere = this.#decisionElsewhere(elsewhere.signal);
    // A rejection of the loser is no error of the call.
    decidedElsewhere.catch(() => {});
    const asked = this.#askHere(ask, here.signal, decidedElsewhere);
    asked.catch(() => {});
    // The question ends with the call.
    const end = (): void => here.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    try {
      // Its answer is here already, and a no ends this call even when another person has approved.
      return await (isAnswered ? asked : Promise.race([decidedElsewhere, asked]));
    } finally {
      signal.removeEventListener('abort', end);
      here.abort(new ToolkitError('ABORTED', 'The approval was decided elsewhere.', { isDecidedElsewhere: true }));
      elsewhere.abort();
    }
  }

  async #askHere(
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
      if (canWait && (await this.#waitElsewhere(decidedElsewhere))) return decidedElsewhere;
      throw this.#withAdvice(error);
    }
    if (decision === undefined) return (await this.#waitElsewhere(decidedElsewhere)) ? decidedElsewhere : this.#required();
    const by = this.#deciderOf(decision);
    if (decision.approved === true) {
      this.#approved.push(by);
      return { ...decision, record: this.id };
    }
    const { reason } = decision;
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

  /** Resolves when the record is decided by anyone. Rejects when it has ended without a decision. */
  async #decisionElsewhere(signal: AbortSignal): Promise<ApprovalDecision> {
    const { changes, records, now } = this.#services;
    const key = recordKeys.record(this.id);
    const record = await changes.waitFor(
      key,
      async () => {
        const found = (await records.read(this.id))?.record;
        if (found?.status === 'waiting' && found.expiresAt <= now()) await expireRecord(this.#services, this.id);
        else if (found?.status !== 'waiting') return { found };
        return undefined;
      },
      signal,
    );
    return this.#decisionOf(record.found);
  }

  #decisionOf(record: StoredApproval | undefined): ApprovalDecision {
    const { id } = this;
    if (record?.status === 'approved' || record?.status === 'used') return { approved: true, by: approversText(record), record: id };
    const refusal = record?.decisions.findLast(({ approve }) => !approve);
    if (record === undefined || refusal === undefined) throw this.#denied(record);
    const { by, reason } = refusal;
    return { approved: false, by: `${by.name} (${by.way})`, record: id, ...(reason === undefined ? {} : { reason }) };
  }

  /** Waits for a decision from elsewhere, where the caller goes on meanwhile or the options allow it. Resolves to false when the time is over. */
  async #waitElsewhere(decided: Promise<ApprovalDecision>): Promise<boolean> {
    const { waitMs } = this.#services.settings;
    const { client, signal } = this.#context;
    const isDetached = client.later !== undefined && client.later(`Waits for a person: approval ${this.id}.`) !== false;
    if (!isDetached && waitMs === 0) return false;
    const resumeClock = this.#context.pauseClock();
    let end: () => void = () => {};
    const over = new Promise<false>((resolve) => {
      end = () => resolve(false);
    });
    const timer = isDetached ? undefined : setTimeout(end, waitMs).unref();
    signal.addEventListener('abort', end, { once: true });
    try {
      const isDecided = decided.then(
        () => true,
        () => true,
      );
      return await Promise.race([isDecided, over]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resumeClock();
    }
  }

  async begin(): Promise<string | undefined> {
    const { waiting, now, process } = this.#services;
    const done = await changeRecord(this.#services, this.id, (record) => {
      if (record.status !== 'waiting' || record.expiresAt <= now()) return undefined;
      const names = new Set(record.decisions.filter(({ approve }) => approve).map(({ by }) => foldedName(by.name)));
      if (record.approvers > 1) names.add(foldedName(record.caller));
      const added = this.#approved.filter(({ name }) => !names.has(foldedName(name)));
      const decisions = [...record.decisions, ...distinct(added).map((by) => ({ approve: true, by, at: now() }))];
      if (decisions.filter(({ approve }) => approve).length < record.approvers) return { ...record, decisions };
      // The record counts in one step with each call that joins: one that is about to wait is not in any memory yet.
      const isShared = this.#once !== undefined || record.count > 1;
      return { ...record, decisions, status: isShared ? 'approved' : 'used' };
    });
    const record = done?.record;
    if (record?.status === 'waiting') throw record.expiresAt <= now() ? this.#denied(record) : this.#required(record);
    if (record?.status !== 'approved' && record?.status !== 'used') throw this.#denied(record);
    if (done?.isChanged === true) await this.#approvedHere(record);
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

  async #approvedHere(record: StoredApproval): Promise<void> {
    const { host } = this.#services;
    const by = record.decisions.findLast(({ approve }) => approve)?.by;
    host.report(eventOf(record, 'approved', by === undefined ? {} : { by }));
    if (record.status === 'used') host.report(eventOf(record, 'used'));
    await this.#services.afterDecision(record);
  }

  async leave(changed?: readonly string[]): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { waiting, process } = this.#services;
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
    if (this.#isCancelled && done.record.waiting.length === 0)
      await endRecord(this.#services, this.id, 'withdrawn', 'its client has cancelled it', ['waiting']);
    else if (!done.record.isKept && done.record.waiting.length === 0)
      await endRecord(this.#services, this.id, 'withdrawn', 'its call has ended, and it had credentials of its own, which are not kept');
    else if (done.record.status === 'approved') await this.#services.afterDecision(done.record);
  }

  /** True when the caller has taken its call back, rather than lost it. A durable call says so itself. */
  get #isCancelled(): boolean {
    const { signal, client } = this.#context;
    return this.#isWithdrawn || (client.onHeld === undefined && signal.aborted && !isLostCall(signal.reason));
  }

  #denied(record: StoredApproval | undefined): ToolkitError {
    const { name } = this.#context.tool;
    const why = record === undefined ? 'its approval was erased' : decidedText(record);
    return new ToolkitError('APPROVAL_DENIED', `"${name}" was not run: ${why}.`, { tool: name, approval: this.id });
  }

  #required(record?: StoredApproval): never {
    const { name } = this.#context.tool;
    const more = record === undefined ? '' : ` It needs ${record.approvers} approvers besides its caller.`;
    throw this.#withAdvice(
      new ToolkitError('APPROVAL_REQUIRED', `"${name}" needs approval and was not run: no person has decided yet.${more}`, { tool: name }),
    );
  }

  /** Says how the call can be decided later, where others can reach its record. */
  #withAdvice(error: ToolkitError): ToolkitError {
    const { isShared } = this.#services;
    if (!isShared || isAsked(error)) return error.with({ approval: this.id });
    const advice = `It waits as approval "${this.id}": an operator decides by "toolkit approvals show ${this.id}". Then make the same call again for its result.`;
    // The client need not be able to ask.
    const { clientLacks: _lacks, ...details } = error.details;
    return new ToolkitError(error.code, `${error.message} ${advice}`, { ...details, approval: this.id }, { cause: error.cause });
  }
}

/** True when a person is being asked, and the call is made again with the answer. */
function isAsked({ cause }: ToolkitError): boolean {
  return ToolkitError.is(cause) && cause.details['isAsked'] === true;
}

function distinct(deciders: readonly Decider[]): readonly Decider[] {
  return [...new Map(deciders.map((one) => [foldedName(one.name), one] as const)).values()];
}
