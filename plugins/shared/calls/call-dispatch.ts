import type { EngineHost, Logger, StateStore, WorkOptions } from '../../../kernel/index.ts';
import type { LivingProcess } from '../state/living-process.ts';
import type { CallFinder } from './call-finder.ts';
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

/**
 * Brings calls that wait to the processes that make them, and those of a process that has died to others. It may bring a call twice, or one that waits no
 * more: a call is made by who writes so in its record.
 */
export interface CallDispatch extends CallFinder {
  /** Resolves when calls are looked for; what it resolves to ends that, and resolves when none of them runs here any more. */
  work(options: WorkOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
