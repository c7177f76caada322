import type { Logger, StateEntry, StateStore } from '../../../kernel/index.ts';
import { isLater } from '../state/record-versions.ts';
import { keys } from './call-keys.ts';
import type { CallQueue } from './call-queue.ts';
import { parseRecord } from './call-record.ts';
import { keyAfterCaller, readQueueKey } from './queue-keys.ts';

const pageSize = 200;

/** A form in which an earlier version wrote the index entries of calls. */
interface EarlierForm {
  /** Prefix of its keys. Entries of today that begin with it are passed over, those of one caller at once. */
  readonly prefix: string;
  /** Returns the calls that an entry leads to. Undefined for an entry of another form. */
  readonly read: (entry: StateEntry) => readonly string[] | undefined;
}

/** Forms of earlier versions. A change of index entries adds a line here: the record of a call says which entries it has today. */
const forms: readonly EarlierForm[] = [
  // One queue for all callers. Its keys continue with 15 digits of epoch ms, of which the first two are zeros until the year 2286.
  { prefix: 'queue/00', read: ({ key }) => callKeysOf(/^queue\/\d{15}\/([^/]+)$/.exec(key)?.[1]) },
  { prefix: 'running/', read: ({ key, value }) => callKeysOf(/^running\/[^/]+\/([^/]+)$/.exec(key)?.[1]) ?? callKeysIn(value) },
];

export interface EarlierEntriesParts {
  readonly state: StateStore;
  readonly queue: Pick<CallQueue, 'indexEntries'>;
  readonly logger: Logger;
}

/**
 * Writes the index entries of earlier versions in the form of today, so that calls of theirs are found. Several processes may do so at the
 * same time. Entries of records that a later version wrote stay as they are.
 */
export async function convertEarlierEntries(parts: EarlierEntriesParts): Promise<void> {
  let converted = 0;
  for (const form of forms) for await (const entry of entriesOf(parts.state, form)) if (await convert(entry, form, parts)) converted++;
  if (converted > 0) parts.logger.info(`${converted} index entries of durable calls were converted from an earlier version`);
}

async function* entriesOf(state: StateStore, { prefix, read }: EarlierForm): AsyncGenerator<StateEntry> {
  for (let after: string | undefined; ; ) {
    const page = await state.list(prefix, { limit: pageSize, ...(after === undefined ? {} : { after }) });
    let skipTo: string | undefined;
    for (const entry of page) {
      if (read(entry) !== undefined) yield entry;
      const today = readQueueKey(entry.key);
      if (today === undefined) continue;
      skipTo = keyAfterCaller(today.callerHash);
      break;
    }
    if (skipTo === undefined && page.length < pageSize) return;
    after = skipTo ?? page.at(-1)?.key;
  }
}

async function convert(entry: StateEntry, { read }: EarlierForm, { state, queue }: EarlierEntriesParts): Promise<boolean> {
  let isWhole = true;
  for (const callKey of read(entry) ?? []) if (!(await writeEntries(callKey, state, queue))) isWhole = false;
  // Afterwards: a crash between the two leaves an entry that is converted again.
  if (isWhole) await state.delete(entry.key);
  return isWhole;
}

/** Writes the entries that the record of a call has today. False for a record of a later version. */
async function writeEntries(callKey: string, state: StateStore, queue: EarlierEntriesParts['queue']): Promise<boolean> {
  for (;;) {
    const text = await state.get(keys.call(callKey));
    if (text === undefined) return true;
    const record = parseRecord(text);
    if (isLater(record)) return false;
    const also = queue.indexEntries?.(callKey, record) ?? [];
    // A call that has ended has no entries, and another process may change the record meanwhile.
    if (also.length === 0 || (await state.compareAndSet(keys.call(callKey), text, text, { also }))) return true;
  }
}

function callKeysOf(callKey: string | undefined): readonly string[] | undefined {
  return callKey === undefined ? undefined : [callKey];
}

/** Parses the calls of a process, which the first version listed in one entry. */
function callKeysIn(value: string): readonly string[] {
  // Own text: a list of call keys in the store.
  return JSON.parse(value) as readonly string[];
}
