import path from 'node:path';
import type { StateStore } from '../../../kernel/index.ts';
import type { HostKeys } from '../../shared/keys/host-keys.ts';
import { LazyResource } from '../../shared/state/lazy-resource.ts';
import { FileStore } from '../grants/file-store.ts';
import { closedError } from '../grants/grant-errors.ts';
import { type ConnectStore, deleteExpired, timedStore } from './timed-store.ts';

export interface OpenConnectStoreOptions {
  /** The store of the kernel. */
  readonly state: StateStore;
  readonly keys: Pick<HostKeys, 'isPersistent'>;
  /** Folder of the pending connects when the store is not shared. Created on first use. */
  readonly folder: string;
  /** Clock, epoch ms. */
  readonly now: () => number;
}

export interface OpenedConnectStore {
  readonly store: ConnectStore;
  close(): Promise<void>;
}

/**
 * Returns the store of pending connects: the shared one, else files of this account, so that a code can be typed on the command line. Opens nothing
 * before the first use.
 */
export function openConnectStore({ state, keys, folder, now }: OpenConnectStoreOptions): OpenedConnectStore {
  const opened = new LazyResource(async () => openStore());
  const openStore = async (): Promise<OpenedConnectStore> => {
    // Another process could not read files that a key of this process sealed.
    if (state.isShared || !keys.isPersistent) return { store: state, close: async () => {} };
    // A path of a socket has few bytes: both stores use the sockets of the grants.
    const files = new FileStore(folder, path.dirname(folder));
    await deleteExpired(files, '', now);
    return { store: timedStore(files, now), close: () => files.close() };
  };
  const store = async (): Promise<ConnectStore> => (await opened.get()).store;
  return {
    store: {
      get: async (key) => (await store()).get(key),
      compareAndSet: async (...given) => (await store()).compareAndSet(...given),
      list: async (...given) => (await store()).list(...given),
      watch: async (...given) => (await store()).watch(...given),
    },
    close: async () => (await opened.close(closedError()))?.close(),
  };
}
