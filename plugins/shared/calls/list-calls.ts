import type { CallFilter, CallPage, DurableCall, Liveness } from '../../../kernel/index.ts';
import { type CallRecord, toDurableCall } from './call-record.ts';
import type { CallRecords } from './call-records.ts';
import type { KnownEffects } from './known-effects.ts';

/** Minimum records of one read: a filter may pass over most of them. */
const minPageSize = 100;

export interface ListCallsParts {
  readonly records: CallRecords;
  readonly effects: Pick<KnownEffects, 'settle'>;
  readonly process: Liveness;
}

/** Lists calls, newest first. */
export async function listCalls(
  { records, effects, process }: ListCallsParts,
  { status, tool, caller, asksProcesses = false, limit = 100, after }: CallFilter,
): Promise<CallPage> {
  const found: CallRecord[] = [];
  let laterVersion = 0;
  let next = after;
  const isWanted = (record: CallRecord): boolean =>
    [
      [status, record.status],
      [tool, record.tool],
      [caller, record.caller],
    ].every(([wanted, is]) => wanted === undefined || wanted === is);
  const page = async (more: Pick<CallPage, 'next'>): Promise<CallPage> => ({
    calls: asksProcesses ? await withStalled(found, process) : found.map(toDurableCall),
    ...(laterVersion === 0 ? {} : { laterVersion }),
    ...more,
  });
  for (;;) {
    const read = await records.page(next, Math.max(limit, minPageSize));
    laterVersion += read.later;
    for (const one of read.found) {
      const { callKey, record } = one.record.status === 'unknown' ? await effects.settle(one) : one;
      if (found.length === limit) return page(next === undefined ? {} : { next });
      next = callKey;
      if (isWanted(record)) found.push(record);
    }
    if (read.last === undefined) return page({});
    next = read.last;
  }
}

/** Asks each process once, however many calls it runs. */
async function withStalled(records: readonly CallRecord[], process: Liveness): Promise<readonly DurableCall[]> {
  const ids = new Set(records.flatMap(({ status, by }) => (status === 'running' && by !== undefined ? [by] : [])));
  const answers = await Promise.all([...ids].map(async (id) => [id, (await process.isStalled?.(id)) === true] as const));
  const stalled = new Set(answers.flatMap(([id, isStalled]) => (isStalled ? [id] : [])));
  return records.map((record) => ({
    ...toDurableCall(record),
    ...(record.status === 'running' && stalled.has(record.by ?? '') ? { isStalled: true as const } : {}),
  }));
}
