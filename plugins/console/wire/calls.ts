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
  /** Absent from the trail, which has no times of stages. */
  readonly stages?: readonly ReachedStage[];
  readonly reasons: readonly string[];
  readonly approvals: readonly { readonly kind: string; readonly approved: boolean; readonly by: string; readonly record?: string }[];
}

/** An ended call with its parameters. */
export interface CallDetails extends EndedCall {
  readonly parameters: unknown;
}

/** A page of calls. */
export interface CallsPage {
  readonly running: readonly RunningCall[];
  /** Newest first. */
  readonly ended: readonly EndedCall[];
  /** Cursor of the next page. Absent on the last one. */
  readonly next?: string;
  /** `trail`: of all processes that write the trail. `process`: of this process since its start, at most 1,000. */
  readonly from: 'trail' | 'process';
}
