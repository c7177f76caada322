import type { CallResult, Logger, StateStore } from '../../../kernel/index.ts';
import { keys } from './call-keys.ts';
import { type CallRecord, parseRecord } from './call-record.ts';
import type { CallRecords } from './call-records.ts';

const pageSize = 200;

export interface MoveCallsOptions {
  /** Keys of the engine that stored the calls. */
  readonly from: StateStore;
  /** Records of the engine that takes them on. */
  readonly to: CallRecords;
  readonly logger: Logger;
}

export interface MovedCalls {
  readonly moved: number;
  /** Calls that the other engine has under the same name. They stay where they are. */
  readonly known: number;
  /** Calls of a later version of this program. They stay where they are. */
  readonly later: number;
}

/**
 * Moves calls with their decisions and results, in the state in which they are. Each is written before it is deleted, and not written over one
 * that is there, so that an interrupted move is continued by the next one, and several processes may move at the same time.
 */
export async function moveCalls({ from, to, logger }: MoveCallsOptions): Promise<MovedCalls> {
  const count = { moved: 0, known: 0, later: 0 };
  const prefix = keys.call('');
  for (let after: string | undefined; ; ) {
    const page = await from.list(prefix, { limit: pageSize, ...(after === undefined ? {} : { after }) });
    for (const { key, value } of page) count[await moveCall(key.slice(prefix.length), value, from, to)]++;
    after = page.at(-1)?.key;
    if (page.length < pageSize) break;
  }
  if (count.moved > 0) logger.info(`${count.moved} durable calls of another engine were taken on`);
  const left = count.known + count.later;
  if (left > 0)
    logger.warn(
      `${left} durable calls of another engine stay there: ${count.known} have a name that is in use, ${count.later} are of a later version`,
    );
  return count;
}

async function moveCall(callKey: string, text: string, from: StateStore, to: CallRecords): Promise<keyof MovedCalls> {
  const record = parseRecord(text);
  if ('laterVersion' in record) return 'later';
  const resultKey = record.resultOf === undefined ? undefined : keys.result(callKey, record.resultOf);
  const result = resultKey === undefined ? undefined : await from.get(resultKey);
  // Own text: a record of the store.
  if (result !== undefined) await to.storeResult(callKey, record.resultOf ?? 0, JSON.parse(result) as CallResult, result);
  if ((await to.add(callKey, record)) === undefined && !(await isMoved(callKey, record, to))) return 'known';
  for (const key of [keys.name(record), keys.open(record.caller, callKey), resultKey, keys.call(callKey)])
    if (key !== undefined) await from.delete(key);
  return 'moved';
}

/** True when another process has written this call, or this one did before it was interrupted. */
async function isMoved(callKey: string, record: CallRecord, to: CallRecords): Promise<boolean> {
  return (await to.find(record)).place === callKey;
}
