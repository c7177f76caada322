import type { EngineHost, Liveness, Logger, StateStore, WorkOptions } from '../../../kernel/index.ts';
import type { CallQueue } from './call-queue.ts';
import type { CallRecords } from './call-records.ts';
import type { CallRun } from './call-run.ts';
import type { ChangeNotifier } from './change-notifier.ts';

/** Parts of the engine that a dispatch uses. */
export interface DispatchParts {
  readonly state: StateStore;
  readonly records: CallRecords;
  readonly changes: ChangeNotifier;
  readonly process: Liveness;
  readonly run: CallRun;
  readonly host: EngineHost;
  readonly logger: Logger;
}

/**
 * Gives waiting calls to worker processes, and calls of a dead process to others. It may offer a call twice, or one that no longer waits:
 * the worker that writes its claim in the record runs the call.
 */
export interface CallDispatch extends CallQueue {
  /** Starts working. Returns a function that stops it and resolves when none of the calls runs here any more. */
  work(options: WorkOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
