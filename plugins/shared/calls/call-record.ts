import type { CallDecision, CallResult, DurableCall, DurableRequest } from '../../../kernel/index.ts';

/** The form in which calls are stored. A change of it comes with a step in `migrations`. */
export const recordVersion = 1;

/** What is stored of a call. */
export interface CallRecord extends DurableRequest, Omit<DurableCall, 'decisions'> {
  readonly version: number;
  readonly decisions: readonly CallDecision[];
  /** Not before then, epoch ms; of a call that waits no more, when it last might run. No two turns of a call have the same. */
  readonly runAt: number;
  /** How often it was put back since a person last asked for it. */
  readonly failures: number;
  /** Counts the effects that it may have: one, and one more for each retry that says so. */
  readonly effect: number;
  /** The process that runs it, while it is `running`. */
  readonly by?: string;
  /** Somebody wants it to end. */
  readonly isCancelled?: boolean;
  readonly result?: CallResult;
  /** The attempt whose result is kept beside the record. */
  readonly resultOf?: number;
}

/** What brings a record of the version that is its place, counted from 1, to the next. */
export type Migrations = readonly ((record: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>)[];

/** None yet: this is the first version. */
export const migrations: Migrations = [];

/** A stored record, or the version of one that a later program has written. */
export function parseRecord(text: string, steps: Migrations = migrations): CallRecord | { readonly laterVersion: number } {
  // Own text: a record of the store.
  let record = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const version = Number(record['version']);
  if (version > steps.length + 1) return { laterVersion: version };
  for (const [index, step] of steps.slice(version - 1).entries()) record = { ...step(record), version: version + index + 1 };
  return record as unknown as CallRecord;
}

/** When a call runs that is put back: always later than before, so that no two of its turns are taken for the same. */
export function nextRunAt({ runAt }: CallRecord, at: number): number {
  return Math.max(at, runAt + 1);
}

/** As the host sees it. */
export function shownCall(record: CallRecord): DurableCall {
  const { id, caller, tool, status, createdAt, startedAt, endedAt, runAt, attempts, question, decisions, error } = record;
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
    decisions,
    ...(error === undefined ? {} : { error }),
  };
}
