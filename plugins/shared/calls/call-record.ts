import type { CallDecision, CallResult, DurableCall, DurableRequest } from '../../../kernel/index.ts';
import { type LaterRecord, parseStored, type RecordSteps, recordSteps, recordVersion as versionAfter } from '../state/record-versions.ts';

/** Version of the stored records of calls. A new version needs a step in `recordSteps`. */
export const recordVersion = versionAfter(recordSteps.call);

/** Stored record of a call. */
export interface CallRecord extends DurableRequest, Omit<DurableCall, 'decisions'> {
  readonly version: number;
  readonly decisions: readonly CallDecision[];
  /** Earliest time to run, epoch ms. When the call no longer waits: the last time it might have run. Unique among the runs of one call. */
  readonly runAt: number;
  /** Number of retries since a person last requested the call. */
  readonly failures: number;
  /** Number of effects that the call may have: one, plus one for each retry that allows another. */
  readonly effect: number;
  /**
   * Name of the first effect: that of a call with `once` of the same caller. Absent in records of earlier versions, which used another name:
   * see `onceOf`.
   */
  readonly once?: string;
  /** Id of the process that runs it, while it is `running`. */
  readonly by?: string;
  /** True when cancellation was requested. */
  readonly isCancelled?: boolean;
  readonly result?: CallResult;
  /** Attempt whose result is stored beside the record. */
  readonly resultOf?: number;
}

/** Parses a stored record and migrates it. Returns the version when a later program has written it. */
export function parseRecord(text: string, steps: RecordSteps = recordSteps.call): CallRecord | LaterRecord {
  return parseStored<CallRecord>(text, steps);
}

/** Returns the `once` with which the call runs. A call and its attempts share it, until a retry allows another effect. */
export function onceOf({ id, effect, once }: Pick<CallRecord, 'id' | 'effect' | 'once'>): string {
  return effect === 1 && once !== undefined ? once : `durable call ${effect} ${id}`;
}

/** Returns the id of the call that runs with this `once`: see `onceOf`. */
export function idOfOnce(once: string): string {
  return /^durable call [1-9]\d* (?<id>.+)$/s.exec(once)?.groups?.['id'] ?? once;
}

/** Returns the `runAt` of a retry: always later than before, so that no two runs have the same. */
export function nextRunAt({ runAt }: CallRecord, at: number): number {
  return Math.max(at, runAt + 1);
}

/** Converts a record into the call that the host sees. */
export function toDurableCall(record: CallRecord): DurableCall {
  const { id, caller, tool, status, createdAt, startedAt, endedAt, runAt, attempts, question, approval, decisions, error } = record;
  return {
    id,
    caller,
    tool,
    status,
    createdAt,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(status === 'waiting' ? { runAt } : {}),
    attempts,
    ...(question === undefined ? {} : { question }),
    ...(approval === undefined ? {} : { approval }),
    decisions,
    ...(error === undefined ? {} : { error }),
  };
}
