import type { EngineHost, Logger, StateChange, StateStore, WorkOptions } from '../../../kernel/index.ts';
import type { LivingProcess } from '../state/living-process.ts';
import type { CallRecord } from './call-record.ts';
import type { CallRecords } from './call-records.ts';
import type { CallRun } from './call-run.ts';
import type { Changes } from './changes.ts';

/** What brings calls to who makes them has of the engine. */
export interface DispatchParts {
  readonly state: StateStore;
  readonly records: CallRecords;
  readonly changes: Changes;
  readonly process: LivingProcess;
  readonly run: CallRun;
  readonly host: EngineHost;
  readonly logger: Logger;
}

/** How calls are found that wait, and those that a process has left. */
export interface CallFinder {
  /** What is kept in the store beside the record for as long as it is as it is, changed in the same step. */
  entriesOf?(place: string, record: CallRecord): readonly StateChange[];
  /**
   * Has a call be found from its `runAt` on, in what is not this store. Called before its record says that it waits: who dies between has left it where it is
   * found. `ahead`: how many calls of its caller had not ended when it was submitted; none for one that is put there again.
   */
  put?(place: string, call: Pick<CallRecord, 'runAt'>, ahead?: number): Promise<void>;
  /** The call was cancelled while it waited. */
  drop?(place: string, record: CallRecord): Promise<void>;
}

/**
 * Brings calls that wait to the processes that make them, and those of a process that has died to others. It may bring a call twice, or one that waits no
 * more: a call is made by who writes so in its record.
 */
export interface CallDispatch extends CallFinder {
  /** Resolves when calls are looked for; what it resolves to ends that, and resolves when none of them runs here any more. */
  work(options: WorkOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
