import { type CallRecord, recordVersion } from '../../plugins/shared/calls/call-record.ts';

/** Returns the record of a call that waits. */
export function callRecord(id: string, more: Partial<CallRecord> = {}): CallRecord {
  return {
    id,
    caller: 'ada',
    version: recordVersion,
    tool: 'act',
    parameters: {},
    origin: 'host',
    status: 'waiting',
    createdAt: 1,
    runAt: 1,
    attempts: 0,
    decisions: [],
    failures: 0,
    effect: 1,
    ...more,
  };
}
