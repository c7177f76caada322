/** A call as the console shows it. Secrets are masked. Times are in epoch ms. */
export interface ShownCall {
  readonly callId: string;
  readonly tool: string;
  readonly caller: string;
  readonly origin: 'host' | 'model';
  readonly risk?: string;
  readonly startedAt: number;
  /** Id of the trace, 32 hexadecimal digits. Absent without a tracer. */
  readonly traceId?: string;
}

/** The stages of a call, in their order. */
export const callStages = ['checks', 'approval', 'run', 'output'] as const;

export type CallStage = (typeof callStages)[number];

/** A stage that a call has begun. */
export interface ReachedStage {
  readonly stage: CallStage;
  readonly beganAt: number;
}

/** A call that runs in this process. */
export interface RunningCall extends ShownCall {
  /** The stages so far; the last one is the present one. */
  readonly stages: readonly ReachedStage[];
}

/** An ended call, of this process or from the trail. */
export interface EndedCall extends ShownCall {
  readonly durationMs: number;
  /** `completed`, or the code of the error. */
  readonly outcome: string;
  /** The message of the error. Absent for a completed call, and from the trail. */
  readonly message?: string;
  readonly executed?: boolean;
  /** Id of the approval record as which the call waits, or waited. Absent for a call that a person let run, and from the trail. */
  readonly approval?: string;
  /** Absent from the trail, which has no times of stages. */
  readonly stages?: readonly ReachedStage[];
  readonly reasons: readonly string[];
  readonly approvals: readonly { readonly kind: string; readonly approved: boolean; readonly by: string; readonly record?: string }[];
}

/** A call with its parameters. One that runs has the outcome `running`, its duration so far, and neither reasons nor approvals. */
export interface CallDetails extends EndedCall {
  /** Absent when they are not kept. The names only, where the trail has no more. */
  readonly parameters?: unknown;
  /** A sentence about what is missing of the parameters. Absent when nothing is. */
  readonly parametersNote?: string;
}

/** A page of calls. */
export interface CallsPage {
  /** At most 200, the ones that have run longest. Empty on further pages. */
  readonly running: readonly RunningCall[];
  /** Number of running calls, when `running` has not all of them. */
  readonly runningCount?: number;
  /** Newest first. */
  readonly ended: readonly EndedCall[];
  /** Cursor of the next page. Absent on the last one. */
  readonly next?: string;
  /** `trail`: of all processes that write the trail. `process`: of this process since its start, at most 1,000. */
  readonly from: 'trail' | 'process';
  /** Number of lines of the trail that do not verify and are left out: `toolkit audit verify` says which. Absent without any. */
  readonly broken?: number;
}
