import { randomUUID } from 'node:crypto';
import { isPlainObject, type StateStore } from '../../../../../../kernel/index.ts';
import { takeoverMs } from '../event-stream.ts';

/** Lifetime of a claim, in milliseconds: as long as a session can be resumed. */
const ttlMs = 7 * 24 * 60 * 60_000;

export interface StreamClaimOptions {
  readonly state: StateStore;
  /** Key of the record of the claim. The count of takeovers is beside it. */
  readonly key: string;
  /** The label of this process. */
  readonly label: string;
  readonly isAlive: (label: string) => Promise<boolean>;
}

/** Claim of a session's stream, which one process has at a time: the one that its client reached last. */
export interface StreamClaim {
  /**
   * Claims the stream. `takeover`: ends an existing connection. `refused`: the last takeover was less than five seconds ago. Rejects when
   * the store cannot be reached. `isOpenHere`: this process has a connection.
   */
  take(isOpenHere: boolean): Promise<'first' | 'takeover' | 'refused'>;
  /** Releases the claim, because the connection has ended. */
  release(): Promise<void>;
  /** Returns a value when another process has the stream now. `isTakeover`: true when it ended a connection for that. */
  movedTo(): Promise<{ readonly isTakeover: boolean } | undefined>;
}

export function streamClaim({ state, key, label, isAlive }: StreamClaimOptions): StreamClaim {
  /** Record that this process wrote. */
  let record: string | undefined;
  return {
    async take(isOpenHere) {
      const holder = await holderIn(state, key);
      const isTakeover = isOpenHere || (holder !== undefined && holder.label !== label && (await isAlive(holder.label)));
      if (isTakeover && !(await state.increment(`${key}/takeovers`, { windowMs: takeoverMs, limit: 1 })).isCounted) return 'refused';
      record = JSON.stringify({ label, isTakeover, id: randomUUID() });
      await state.set(key, record, { ttlMs });
      return isTakeover ? 'takeover' : 'first';
    },
    async release() {
      if (record !== undefined) await state.compareAndSet(key, record, undefined);
    },
    async movedTo() {
      const holder = await holderIn(state, key);
      return holder === undefined || holder.label === label ? undefined : holder;
    },
  };
}

async function holderIn(state: StateStore, key: string): Promise<{ readonly label: string; readonly isTakeover: boolean } | undefined> {
  const text = await state.get(key);
  // Own text: a record of the store
  const holder: unknown = text === undefined ? undefined : JSON.parse(text);
  return isPlainObject(holder) ? { label: String(holder['label']), isTakeover: holder['isTakeover'] === true } : undefined;
}
