import { excerpt, type Logger, messageOf, type StateStore, ToolkitError } from '../../../kernel/index.ts';
import type { HostKeys } from '../../shared/keys/host-keys.ts';
import { FileStore } from './file-store.ts';
import type { Grants, RefreshGrant } from './grant.ts';
import { LimitedStore } from './limited-store.ts';
import { type OpenedStore, StoredGrants } from './stored-grants.ts';

export interface OpenGrantsOptions {
  /** The store of the kernel: keeps the grants if it is shared, and where no folder can be used. */
  readonly state: StateStore;
  readonly keys: Pick<HostKeys, 'cipher' | 'isPersistent'>;
  /** Folder of the grants when the store is not shared. Created on first use. */
  readonly folder: string;
  readonly refresh: RefreshGrant;
  /** Clock, epoch ms. @default Date.now */
  readonly now?: () => number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Time for which a refresh of another process is waited for, in milliseconds. @default 17000 */
  readonly leaseMs?: number;
}

/**
 * Returns the grants of a host: in the shared store, else in files of this account, else in the memory of this process. Reads and writes
 * nothing before the first use, which rejects with PLUGIN_INVALID for a folder that another account or machine may share.
 */
export function openGrants({ state, folder, now = Date.now, ...options }: OpenGrantsOptions): Grants {
  const { keys, logger } = options;
  return new StoredGrants({ ...options, now, open: async () => openStore(state, keys, folder, logger) });
}

function openStore(state: StateStore, keys: Pick<HostKeys, 'isPersistent'>, folder: string, logger: Pick<Logger, 'warn'>): OpenedStore {
  const ofKernel: OpenedStore = { store: new LimitedStore(state), close: async () => {} };
  // A later process could not read files that a key of this process sealed.
  if (state.isShared || !keys.isPersistent) return ofKernel;
  try {
    const store = new FileStore(folder);
    return { store, close: () => store.close() };
  } catch (error) {
    if (ToolkitError.is(error)) throw error;
    logger.warn(`accounts are lost when this process ends, because ${excerpt(folder)} cannot be written: ${excerpt(messageOf(error))}`);
    return ofKernel;
  }
}
