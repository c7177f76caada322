import type { CallRecord } from './call-record.ts';

/**
 * Has a call be found from its `runAt` on. Called before its record says that it waits: who dies between has left it where it is found. `ahead`: how many
 * calls of its caller had not ended when it was submitted; none for one that is put there again.
 */
export type PutCall = (place: string, call: Pick<CallRecord, 'caller' | 'tool' | 'runAt'>, ahead?: number) => Promise<void>;
