import type { StateChange } from '../../../kernel/index.ts';
import type { CallRecord } from './call-record.ts';

/** Queue that leads workers to waiting and orphaned calls. */
export interface CallQueue {
  /** Returns entries to store with the record in the same write, for as long as the record stays as it is. */
  indexEntries?(place: string, record: CallRecord): readonly StateChange[];
  /**
   * Enqueues the call to run at `runAt`, outside this store. Called after the record was written, so that a queue entry always finds it. A
   * crash between the two leaves a waiting call with index entries alone, which the queue must find by itself. `openCalls`: unfinished calls of its caller when it was submitted; absent for a retry.
   */
  enqueue?(callKey: string, call: Pick<CallRecord, 'runAt' | 'tool'>, openCalls?: number): Promise<void>;
  /** Removes a call that was cancelled while it waited. */
  remove?(place: string, record: CallRecord): Promise<void>;
}
