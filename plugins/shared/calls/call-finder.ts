import type { StateChange } from '../../../kernel/index.ts';
import type { CallRecord } from './call-record.ts';

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
