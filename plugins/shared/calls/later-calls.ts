import type { StateStore } from '../../../kernel/index.ts';
import { isLater } from '../state/record-versions.ts';
import { keys } from './call-keys.ts';
import { parseRecord } from './call-record.ts';

const pageSize = 1000;

/** A call whose record a later version of this program wrote: no process of this version runs, lists or changes it. */
export interface LaterCall {
  /** Version of the record. */
  readonly version: number;
  /** Members that a record of any version so far has as texts. Absent where they are none. */
  readonly id?: string;
  readonly caller?: string;
  readonly tool?: string;
  readonly status?: string;
}

/** Finds the calls whose records a later version wrote, the newest first. `state`: keys of the engine. `limit`: most that are returned. */
export async function findLaterCalls(state: StateStore, limit: number): Promise<readonly LaterCall[]> {
  const found: LaterCall[] = [];
  for (let after: string | undefined; ; ) {
    const page = await state.list(keys.call(''), { limit: pageSize, ...(after === undefined ? {} : { after }) });
    for (const { value } of page) {
      const record = parseRecord(value);
      if (isLater(record)) found.push({ version: record.laterVersion, ...textsOf(value) });
      if (found.length === limit) return found;
    }
    after = page.at(-1)?.key;
    if (page.length < pageSize) return found;
  }
}

function textsOf(value: string): Omit<LaterCall, 'version'> {
  // Own text: a record of the store.
  const record = JSON.parse(value) as Readonly<Record<string, unknown>>;
  const named = ['id', 'caller', 'tool', 'status'].map((name) => [name, record[name]] as const);
  return Object.fromEntries(named.filter(([, text]) => typeof text === 'string'));
}
