import type { ApprovalQuestion } from '../approval/question.ts';
import type { CallRequest } from '../call-request.ts';
import type { ErrorCode } from '../errors.ts';
import type { CallOrigin, CallOutput } from '../hooks.ts';
import type { JsonObject } from '../schema/json.ts';
import type { WorkOptions } from './work-options.ts';

/** A durable call: two callers may use the same id for different calls, and neither finds that of the other. */
export interface CallName {
  readonly caller: string;
  /** 1 to 200 characters. */
  readonly id: string;
}

/** What is stored of a call that is to be made. It holds no credential: those are resolved when it runs. */
export interface DurableRequest extends CallName {
  readonly tool: string;
  readonly parameters: JsonObject;
  /** @default the caller */
  readonly tenant?: string;
  readonly origin: CallOrigin;
}

/**
 * `waiting`: for its turn. `asked`: for a person. `completed`: it has had its effect, and has a result or an error that says why it has none. `unknown`: what ran it has died, or it ended in a way that
 * leaves open whether it had its effect; it is not made again by itself.
 */
export const callStatuses = ['waiting', 'running', 'asked', 'completed', 'failed', 'cancelled', 'unknown'] as const;

export type CallStatus = (typeof callStatuses)[number];

/** Whether nothing happens to such a call any more by itself. */
export function hasEnded(status: CallStatus): boolean {
  return status !== 'waiting' && status !== 'running' && status !== 'asked';
}

/** A decision of a person about one question. */
export interface CallDecision {
  /** Of the question. */
  readonly digest: string;
  readonly approve: boolean;
  /** Who decided, as the host names them. */
  readonly by: string;
  /** Epoch ms. */
  readonly at: number;
}

/** A durable call as its host sees it. Times are in epoch ms. Secrets are masked. */
export interface DurableCall extends CallName {
  readonly tool: string;
  readonly status: CallStatus;
  readonly createdAt: number;
  /** When it first ran. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Not before then, while it waits. */
  readonly runAt?: number;
  /** How often it was begun. */
  readonly attempts: number;
  /** What a person is asked, while it is `asked`. */
  readonly question?: ApprovalQuestion;
  readonly decisions: readonly CallDecision[];
  /**
   * Why it failed, was put back, or has no result although it has completed: one that could not be kept, or does not fit its schema. `details`: of one
   * that was carried out `carriedOut: true`, the status of the service and its answer.
   */
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: JsonObject };
}

/** What is kept of the result of a call. */
export type CallResult = Pick<CallOutput, 'output' | 'content'>;

export interface CallFilter {
  /** @default all */
  readonly status?: CallStatus;
  readonly tool?: string;
  readonly caller?: string;
  /** @default 100 */
  readonly limit?: number;
  /** Go on behind a page: its `next`. */
  readonly after?: string;
}

export interface CallPage {
  /** The newest first. */
  readonly calls: readonly DurableCall[];
  /** Set where there may be more. */
  readonly next?: string;
}

export interface CallAnswer {
  readonly approve: boolean;
  /** Who decided, for the record and for others who decide at the same time. */
  readonly by: string;
  /** Of the question that the person saw: an answer to another one is not taken. */
  readonly digest: string;
}

export interface RetryOptions {
  /**
   * Makes the call anew although it may have had its effect. Without it a call keeps its name for `once`: what had its effect, or may have had
   * it, is not repeated. @default false
   */
  readonly repeatEffect?: boolean;
}

/** What an engine gets to make calls with. Nothing of it works before the kernel is open. */
export interface EngineHost {
  /** Makes a call as `kernel.call` does. */
  readonly call: (request: CallRequest) => Promise<CallOutput>;
  /** What is known of a tool; undefined where there is no such tool here: its calls are for other processes. */
  readonly toolOf: (name: string) => { readonly provider: string | undefined } | undefined;
  /** Aborts when the kernel begins to close: calls that end from then on with ABORTED are to be made by others. */
  readonly closing: AbortSignal;
}

/**
 * Keeps calls until they are made, and makes them, once each: in this process or another one, also after a restart. Everything that names a
 * call rejects with NOT_FOUND where the caller has none of that id, and with STATE_UNAVAILABLE where the store of the calls cannot be reached.
 * `callEngineChecks` of `@toolkit/core/testing` is the contract.
 */
export interface CallEngine {
  /**
   * Resolves when the call survives a restart. The same id twice is one call. Rejects with INVALID_PARAMETERS where the id is that of a call of
   * another tool or with other parameters, with RATE_LIMITED where the caller has too many calls that have not ended.
   */
  submit(request: DurableRequest): Promise<DurableCall>;
  get(name: CallName): Promise<DurableCall>;
  /** Of a call that has completed; undefined where there is none, or none that could be kept. */
  resultOf(name: CallName): Promise<CallResult | undefined>;
  list(filter: CallFilter): Promise<CallPage>;
  /** Resolves when the call has ended, however. Rejects with the reason of `signal`; the call goes on. */
  ended(name: CallName, signal?: AbortSignal): Promise<DurableCall>;
  /** Ends a call that waits or is asked; one that runs is aborted by the process that runs it. Nothing happens to one that has ended. */
  cancel(name: CallName): Promise<DurableCall>;
  /** Has a call that failed, was cancelled or is unknown made again. Rejects with INVALID_PARAMETERS for another. */
  retry(name: CallName, options: RetryOptions): Promise<DurableCall>;
  /**
   * Decides about a call that is asked: made again with a yes, failed (APPROVAL_DENIED) with a no. One decision counts; to all others it rejects
   * with INVALID_PARAMETERS and who decided.
   */
  answer(name: CallName, answer: CallAnswer): Promise<DurableCall>;
  /**
   * Makes calls in this process, those of callers in turn, until what it resolves to is called, which resolves when none runs here any more.
   */
  work(options: WorkOptions): Promise<() => Promise<void>>;
  /** Stops to work, and leaves nothing open. */
  close(): Promise<void>;
}
