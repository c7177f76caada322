import type { CallName } from '../call/call-name.ts';
import type { CallOrigin } from '../call/draft.ts';
import type { CallOutput } from '../call/output.ts';
import type { CallRequest } from '../call/request.ts';
import type { ApprovalQuestion } from '../client/approval-question.ts';
import type { ErrorCode } from '../errors.ts';
import type { JsonObject } from '../json/json.ts';
import type { StateStore } from '../state/state-store.ts';
import type { TraceContext } from '../trace/span.ts';
import type { EffectName, KnownEffect } from './known-effect.ts';
import type { WorkOptions } from './work-options.ts';

export type { CallName } from '../call/call-name.ts';

/** The stored request of a durable call. It holds no credentials: they are resolved when the call runs. */
export interface DurableRequest extends CallName {
  readonly tool: string;
  readonly parameters: JsonObject;
  /** The tenant of the call. @default the caller */
  readonly tenant?: string;
  /** The tenant whose accounts the call uses: see `CallRequest.accountTenant`. @default `tenant` */
  readonly accountTenant?: string;
  readonly origin: CallOrigin;
  /** Where its caller was in a trace, which the run continues. */
  readonly trace?: TraceContext;
}

/**
 * `waiting`: in the queue. `asked`: a person must decide. `completed`: it has had its effect, with a result or an error that explains the missing one. `unknown`: its
 * process crashed, or it ended so that its effect is uncertain; it is not retried automatically, and becomes `completed` when the outcome of that effect arrives later.
 */
export const callStatuses = ['waiting', 'running', 'asked', 'completed', 'failed', 'cancelled', 'unknown'] as const;

export type CallStatus = (typeof callStatuses)[number];

/** Returns true for a status that no longer changes by itself. */
export function hasEnded(status: CallStatus): boolean {
  return status !== 'waiting' && status !== 'running' && status !== 'asked';
}

/** A decision of a person about one question. */
export interface CallDecision {
  /** The digest of the question. */
  readonly digest: string;
  /** Id of the approval record of the question. Absent where none was kept. */
  readonly record?: string;
  readonly approve: boolean;
  /** The decider, as named by the host. */
  readonly by: string;
  /** The way of the decision: see `Decider`. Absent in decisions of earlier versions. */
  readonly way?: string;
  /** The decider's reason. */
  readonly reason?: string;
  /** Time of the decision, in epoch ms. */
  readonly at: number;
}

/** A durable call, for its host. Times are in epoch ms. Secrets are masked. */
export interface DurableCall extends CallName {
  readonly tool: string;
  readonly status: CallStatus;
  readonly createdAt: number;
  /** Time of the first run. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Earliest time of the next run, while it waits. */
  readonly runAt?: number;
  /** The number of started runs. */
  readonly attempts: number;
  /** The question to a person, while it is `asked`. */
  readonly question?: ApprovalQuestion;
  /** Id of the approval record of its last run, also after the decision. Absent where none was kept. */
  readonly approval?: string;
  readonly decisions: readonly CallDecision[];
  /** True when the process that runs it stands still: it keeps the call. Only in lists with `asksProcesses`. */
  readonly isStalled?: true;
  /**
   * The error of a failed or requeued call, or of a completed one without a result: it could not be stored, or violates its schema. After an
   * effect, `details` has `carriedOut: true`, and the status and answer of the service.
   */
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: JsonObject };
}

/** The stored result of a call. */
export type CallResult = Pick<CallOutput, 'output' | 'content'>;

export interface CallFilter {
  /** Only calls with this status. @default every status */
  readonly status?: CallStatus;
  readonly tool?: string;
  readonly caller?: string;
  /** True to ask the processes of running calls whether they answer, which takes up to a few seconds. @default false */
  readonly asksProcesses?: boolean;
  /** The maximum number of calls in a page. @default 100 */
  readonly limit?: number;
  /** The cursor of the next page: `next` of the previous one. */
  readonly after?: string;
}

export interface CallPage {
  /** The calls, newest first. */
  readonly calls: readonly DurableCall[];
  /** Number of further calls up to the cursor that a later version of this program wrote: only that one can run them. @default 0 */
  readonly laterVersion?: number;
  /** The cursor of the next page. Absent on the last page. */
  readonly next?: string;
}

export interface CallAnswer {
  readonly approve: boolean;
  /** The decider, for the record and for people who decide at the same time. */
  readonly by: string;
  /** The way of the decision: see `Decider`. @default 'library' */
  readonly way?: string;
  /** The decider's reason, which the failed call shows. */
  readonly reason?: string;
  /** The digest of the question that the person saw. An answer to another question is refused. */
  readonly digest: string;
}

export interface RetryOptions {
  /**
   * True to run the call again although it may have had its effect. Otherwise it keeps its `once` name: an effect that happened, or may have
   * happened, is not repeated, and the call ends with the outcome of that effect, or is unknown again. @default false
   */
  readonly repeatEffect?: boolean;
}

/** The changes of calls that approval records follow. Reported after they are written. Never rejects. `record`: the id that `CallClient.onHeld` got. */
export interface EngineApprovals {
  /** The call is `asked` now. A decision that came before continues it. */
  readonly asked: (record: string) => Promise<void>;
  /** The call has ended, with this status: a later run of it is a new question. */
  readonly ended: (record: string, status: CallStatus) => Promise<void>;
}

/** The kernel's services for an engine. They work only after the kernel has opened. */
export interface EngineHost {
  /** Runs a call like `kernel.call`. */
  readonly call: (request: CallRequest) => Promise<CallOutput>;
  /** Returns facts about a tool; undefined for a tool that this process does not have: other processes run its calls. */
  readonly toolOf: (name: string) => { readonly provider: string | undefined } | undefined;
  /** Returns the names of the tools that this process has now. A reload of the definitions may change them. */
  readonly toolNames: () => readonly string[];
  /**
   * Finds out what is known about the effect of a call. Rejects with STATE_UNAVAILABLE. A record that says `unknown` gives way to an effect that
   * is `done`. A call that failed with an effect that is `open` is not `failed`: it runs again where that is `isRetryable`, and is `unknown`
   * otherwise. An error with `details.isReusedName` says that the effect is that of another call.
   */
  readonly effectOf: (name: EffectName) => Promise<KnownEffect>;
  /** Returns the keys of another plugin, such as an engine whose calls this one takes on. */
  readonly stateOf: (plugin: string) => StateStore;
  /** The approval records of calls. @default none are kept */
  readonly approvals?: EngineApprovals;
  /** Aborts when the kernel begins to close. Calls that then end with ABORTED are left to other processes. */
  readonly closing: AbortSignal;
}

/**
 * Stores calls and runs each one once: in this process or another, also after a restart. Every method with a call's name
 * rejects with NOT_FOUND when the caller has no such call, and with STATE_UNAVAILABLE when the store is unreachable.
 * `callEngineChecks` of `@toolkit/core/testing` is the contract.
 */
export interface CallEngine {
  /**
   * Stores the call. Resolves when it survives a restart. The same id twice is one call. Rejects with INVALID_PARAMETERS when the id belongs to a call
   * with another tool or other parameters, and with RATE_LIMITED when the caller has too many unfinished calls.
   */
  submit(request: DurableRequest): Promise<DurableCall>;
  get(name: CallName): Promise<DurableCall>;
  /** Returns the result of a completed call; undefined when there is none or it could not be stored. */
  resultOf(name: CallName): Promise<CallResult | undefined>;
  list(filter: CallFilter): Promise<CallPage>;
  /** Resolves when the call has ended in any way. Rejects with the reason of `signal`; the call goes on. */
  ended(name: CallName, signal?: AbortSignal): Promise<DurableCall>;
  /** Cancels a waiting or asked call. A running call is aborted by its process. An ended call stays unchanged. */
  cancel(name: CallName): Promise<DurableCall>;
  /** Runs a failed, cancelled or unknown call again, unless its effect is known by now: then it is completed. Rejects with INVALID_PARAMETERS for any other. */
  retry(name: CallName, options: RetryOptions): Promise<DurableCall>;
  /**
   * Decides an asked call: a yes runs it again, a no fails it (APPROVAL_DENIED). The first decision counts. Later ones reject
   * with INVALID_PARAMETERS and the name of the decider.
   */
  answer(name: CallName, answer: CallAnswer): Promise<DurableCall>;
  /** Returns the name of the call that runs under this `once`. @default a call is named like its `once` */
  nameOf?(effect: { readonly caller: string; readonly once: string }): CallName;
  /** Runs calls in this process, callers in turn. Resolves to a function that stops the worker and resolves when its last call has ended. */
  work(options: WorkOptions): Promise<() => Promise<void>>;
  /** Stops the workers and closes all resources. */
  close(): Promise<void>;
}
