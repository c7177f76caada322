import type { CallRecord } from './call-record.ts';

/** Has a call be found from its `runAt` on. Called before its record says that it waits: who dies between has left it where it is found. */
export type PutCall = (place: string, call: Pick<CallRecord, 'caller' | 'tool' | 'runAt'>) => Promise<void>;
