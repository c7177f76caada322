/** One run of a call, named by a job. The job holds nothing else: whoever can write to the database can bring a call early, never change it. */
export interface QueuedJob {
  readonly callKey: string;
  /** `runAt` of the call's record when the job was added. The job is over when the record has another one. */
  readonly runAt: number;
}

/** Returns the job id of a run: the same however often it is added. BullMQ adds no second job with the id of an existing one. */
export function jobIdOf({ callKey, runAt }: QueuedJob): string {
  return `${callKey}.${runAt}`;
}

/** Parses a job id. Undefined for one that this program has not made. */
export function readJobId(id: string | undefined): QueuedJob | undefined {
  const [, callKey, runAt] = /^(\d{15}-[\da-f]{64})\.(\d{1,15})$/.exec(id ?? '') ?? [];
  return callKey === undefined || runAt === undefined ? undefined : { callKey, runAt: Number(runAt) };
}
