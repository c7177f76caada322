import type { CallName } from '../call/call-name.ts';
import type { CallContext } from '../call/context/context.ts';
import type { DraftCall } from '../call/draft.ts';
import type { Bindings, CallIdentity } from '../call/identity.ts';
import type { ApprovalDecision, Reason } from '../call/verdict.ts';
import type { Tool } from '../definition/schema/tool.ts';
import type {
  ApprovalAnswer,
  ApprovalDetails,
  ApprovalEvent,
  ApprovalFilter,
  ApprovalPage,
  ApprovalRecord,
  Decider,
  ManyDecided,
} from './approval-record.ts';

/** A call that a person must approve before it runs. */
export interface CallToHold {
  readonly call: DraftCall;
  /** The reasons that a person decides about, with secrets masked. */
  readonly reasons: readonly Reason[];
  readonly bindings: Bindings;
  /** The parameters as the caller gave them, with which the call can be made again. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Parameters and identity with secrets masked. */
  readonly shownParameters: Readonly<Record<string, unknown>>;
  readonly shownIdentity: CallIdentity;
  /** The changes since an earlier question of this call, such as `its content (from … to …)`. */
  readonly changed?: readonly string[];
}

/** One call's part in its record, from the question to the run. */
export interface HeldCall {
  readonly id: string;
  /** True when every process that may take an answer finds the record: answers and tokens are then bound to it. @default false */
  readonly isShared?: boolean;
  /** Number of different names that must approve. With several, the person at the caller's client is not asked. @default 1 */
  readonly approvers?: number;
  /** The changes since an earlier approval of an equal call, which is void. */
  readonly changed?: readonly string[];
  /**
   * Returns the decision about one reason: that of the record, or that of `ask`, whichever comes first. `ask` asks here, and its signal aborts when
   * the record is decided elsewhere. Rejects with APPROVAL_REQUIRED when nobody has decided, with the id of the record in `details.approval`.
   */
  decide(reason: Reason, ask: (signal: AbortSignal) => Promise<ApprovalDecision | undefined>): Promise<ApprovalDecision | undefined>;
  /**
   * Takes the approval for one run, after every reason was approved. Resolves to the name of the effect (`once`) that all calls of the record share;
   * undefined when no other call can run it. Rejects with APPROVAL_DENIED when another person has refused it meanwhile.
   */
  begin(): Promise<string | undefined>;
  /** Ends the wait without a run. `changed`: what was asked about has changed, so that the record is void. */
  leave(changed?: readonly string[]): Promise<void>;
}

/** Keeps the records of calls that need a person, for every host and engine of a kernel. */
export interface ApprovalInbox {
  /**
   * Opens the record of a call, or joins that of an equal call which waits or is approved. Rejects with APPROVAL_DENIED while a refusal holds, and
   * with RATE_LIMITED when too many records of the caller wait.
   */
  hold(call: CallToHold, context: CallContext): Promise<HeldCall>;
  list(filter: ApprovalFilter): Promise<ApprovalPage>;
  /** Rejects with NOT_FOUND. */
  get(id: string): Promise<ApprovalDetails>;
  /** Decides a record. The first decision counts: a later one rejects with INVALID_PARAMETERS and says who decided what. */
  decide(id: string, answer: ApprovalAnswer): Promise<ApprovalRecord>;
  /** Decides all waiting records of a filter, each by itself. */
  decideMany(filter: Omit<ApprovalFilter, 'status' | 'after'>, answer: Omit<ApprovalAnswer, 'digest'>): Promise<readonly ManyDecided[]>;
  /**
   * Asks about the call with other parameters, as a new record with a digest of its own, and refuses the old one. Resolves to the new record.
   * Rejects with INVALID_PARAMETERS when the tool does not accept the parameters, or nobody has to be asked about them.
   */
  change(id: string, parameters: Readonly<Record<string, unknown>>, by: Decider): Promise<ApprovalRecord>;
  /**
   * Ends an open record whose durable call has ended: as `used`, or as `withdrawn` when the call was cancelled, or the record still waits. `isRetried`: the
   * call begins anew. Does nothing for a record that has ended, or that the call runs for others.
   */
  callEnded?(id: string, end: { readonly isCancelled: boolean; readonly isRetried?: boolean }): Promise<void>;
  /** Continues what a decided record allows or refuses, once more: the process that took the decision may have ended before. Not for a waiting one. */
  dispatch?(id: string): Promise<void>;
  /**
   * Calls `onChange` after records were changed by any process, this one included: see `Approvals.watch`. It may be called without a change, and must not
   * be called after the returned function. @default changes are not reported
   */
  watch?(onChange: () => void): Promise<() => Promise<void>>;
  /** Deletes all records of a caller, waiting ones included. Resolves to their number. */
  erase(owner: { readonly caller: string; readonly tenant?: string }, by: Decider): Promise<number>;
}

/** The decision about a record, for the durable call that asks. */
export interface WakingAnswer {
  readonly approve: boolean;
  /** The decider, for the record and for people who decide at the same time. */
  readonly by: string;
  /** The way of the decision: see `Decider`. @default 'library' */
  readonly way?: string;
  /** The decider's reason, which the failed call shows. */
  readonly reason?: string;
  /** Id of the decided record. A call that asks about another one goes on asking. @default not compared */
  readonly record?: string;
}

/** The kernel's services for an inbox, beside those of `PluginApi`. */
export interface ApprovalHost {
  /** True when a plugin gives calls with `once` a single effect. */
  readonly hasOnce: boolean;
  /** Finds out what is known about the effect of calls with a name (`once`): see `FindEffect`. */
  readonly effectOf: (
    name: { readonly tool: string; readonly caller: string; readonly once: string },
    tool: Tool,
  ) => Promise<{ readonly state: 'none' | 'open' | 'done' }>;
  /** Reports an event to the trails. Never throws. */
  readonly report: (event: ApprovalEvent) => void;
  /**
   * Wakes the durable call that asks the question of a record, without another decision about the record. `id` of the name: the `once` of the record.
   * `running`: the call is about to ask, so that it must be woken later. `none`: the caller has no such call, or it has ended.
   */
  readonly wakeCall: (name: CallName, answer: WakingAnswer) => Promise<'woken' | 'running' | 'none'>;
}
