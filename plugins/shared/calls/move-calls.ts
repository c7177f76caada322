import type { CallResult, Logger, StateStore } from '../../../kernel/index.ts';
import { pagesOf } from '../state/pages-of.ts';
import { isLater } from '../state/record-versions.ts';
import { keys } from './call-keys.ts';
import { type CallRecord, parseRecord } from './call-record.ts';
import type { CallRecords } from './call-records.ts';
import type { MovedState } from './movable-state.ts';

const pageSize = 200;

/** Calls that are moved at the same time. */
const parallel = 20;

/** Time for which another mover may still hold a page that was read before a call was deleted, in milliseconds. */
const pageTtlMs = 3_600_000;

export interface MoveCallsOptions {
  /** Keys of the engine that stored the calls. */
  readonly from: StateStore;
  /** Keys of the engine that takes them on. */
  readonly state: StateStore;
  /** Its records. */
  readonly to: CallRecords;
  readonly logger: Logger;
}

/**
 * Moves calls with their decisions and results, in the state in which they are, unless a call of the same name is there. Each is written together with a mark, and deleted afterwards; a
 * call with a mark is not written again. An interrupted move is therefore continued by the next one, however late, and several processes may
 * move at the same time.
 */
export async function moveCalls({ from, state, to, logger }: MoveCallsOptions): Promise<MovedState> {
  const count = { moved: 0, known: 0, later: 0 };
  const prefix = keys.call('');
  const move = async (callKey: string, text: string): Promise<void> => {
    count[await moveCall(callKey, text, { from, state, to })]++;
  };
  for await (const page of pagesOf(from, prefix, pageSize))
    for (let first = 0; first < page.length; first += parallel)
      await Promise.all(page.slice(first, first + parallel).map(({ key, value }) => move(key.slice(prefix.length), value)));
  if (count.moved > 0) logger.info(`${count.moved} durable calls were taken on`);
  const left = count.known + count.later;
  if (left > 0)
    logger.warn(
      `${left} durable calls stay where they were: ${count.known} have a name that is in use, ${count.later} are of a later version`,
    );
  return count;
}

async function moveCall(callKey: string, text: string, { from, state, to }: Omit<MoveCallsOptions, 'logger'>): Promise<keyof MovedState> {
  const record = parseRecord(text);
  if (isLater(record)) return 'later';
  const mark = keys.moved(callKey);
  const resultKey = record.resultOf === undefined ? undefined : keys.result(callKey, record.resultOf);
  if ((await state.get(mark)) === undefined) {
    const result = resultKey === undefined ? undefined : await from.get(resultKey);
    // Own text: a record of the store.
    if (result !== undefined) await to.storeResult(callKey, record.resultOf ?? 0, JSON.parse(result) as CallResult, result);
    const written = await to.add(callKey, record, { also: [{ key: mark, value: '' }] });
    if (written === undefined && !(await isMoved(callKey, record, to))) return 'known';
  }
  for (const key of [keys.name(record), keys.open(record.caller, callKey), resultKey, keys.call(callKey)])
    if (key !== undefined) await from.delete(key);
  await state.set(mark, '', { ttlMs: pageTtlMs });
  return 'moved';
}

/** True when another process has written this call meanwhile. */
async function isMoved(callKey: string, record: CallRecord, to: CallRecords): Promise<boolean> {
  return (await to.find(record)).place === callKey;
}
