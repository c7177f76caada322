import type { CompareOptions, StateStore } from '../../../kernel/index.ts';
import type { GrantsStore } from '../grants/grants-store.ts';

/** The part of a store that connecting needs. */
export type ConnectStore = Pick<StateStore, 'get' | 'compareAndSet' | 'list' | 'watch'>;

interface Entry {
  readonly value: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/**
 * Returns a store of one machine without lifetimes, such as files, as one with them. The changes of `also` follow the first one, not in one step
 * with it: a process that dies between them loses a login, which its person begins again. `now`: clock, epoch ms.
 */
export function timedStore(store: GrantsStore, now: () => number): ConnectStore {
  const read = async (key: string): Promise<{ readonly text: string | undefined; readonly value: string | undefined }> => {
    const text = await store.get(key);
    const entry = text === undefined ? undefined : entryOf(text);
    return { text, value: entry === undefined || entry.expiresAt <= now() ? undefined : entry.value };
  };
  const textOf = (value: string | undefined, ttlMs: number | undefined): string | undefined =>
    value === undefined ? undefined : `${ttlMs === undefined ? '' : now() + ttlMs} ${value}`;
  const set = async (key: string, text: string | undefined): Promise<void> => {
    for (;;) if (await store.compareAndSet(key, (await read(key)).text, text)) return;
  };
  return {
    get: async (key) => (await read(key)).value,
    watch: (prefix, onChange) => store.watch(prefix, onChange),
    compareAndSet: async (key, expected, value, { ttlMs, also = [] }: CompareOptions = {}) => {
      const { text, value: found } = await read(key);
      if (found !== expected || !(await store.compareAndSet(key, text, textOf(value, ttlMs)))) return false;
      for (const change of also) await set(change.key, textOf(change.value, change.ttlMs));
      return true;
    },
    list: async (prefix, options) =>
      (await store.list(prefix, options)).flatMap(({ key, value: text }) => {
        const { value, expiresAt } = entryOf(text);
        return expiresAt <= now() ? [] : [{ key, value }];
      }),
  };
}

/** Deletes the expired entries of a timed store. */
export async function deleteExpired(store: GrantsStore, prefix: string, now: () => number): Promise<void> {
  for (const { key, value } of await store.list(prefix))
    if (entryOf(value).expiresAt <= now()) await store.compareAndSet(key, value, undefined);
}

function entryOf(text: string): Entry {
  const space = text.indexOf(' ');
  return { value: text.slice(space + 1), expiresAt: space <= 0 ? Number.POSITIVE_INFINITY : Number(text.slice(0, space)) };
}
