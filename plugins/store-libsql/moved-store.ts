import { existsSync } from 'node:fs';
import { apiVersion, definePlugin, excerpt, messageOf, type Plugin, ToolkitError } from '../../kernel/index.ts';
import { HostKeys } from '../shared/keys/host-keys.ts';
import { EncryptedStore } from '../shared/state/encrypted-store.ts';
import type { LibsqlTable } from './libsql-table.ts';
import { openTable } from './open-table.ts';

/**
 * The store of `store-libsql` in a file whose calls are moved to another store. While it is open, no other process can use the file; once it is
 * marked, none can ever again.
 */
export class MovedStore {
  readonly #file: string;
  #table: LibsqlTable | undefined;

  /** `file`: absolute path. */
  constructor(file: string) {
    this.#file = file;
  }

  /** The plugin that sets this store. */
  readonly plugin: Plugin = definePlugin({
    name: 'store-libsql',
    apiVersion,
    apply: ({ extend, logger, maskAlso }) => {
      const keys = new HostKeys({ logger, maskAlso });
      extend.stateStore(new EncryptedStore(() => this.#open(keys), keys.cipher('state')));
    },
  })();

  /**
   * Marks the store as moved to this destination, before anything is moved. Call it after a read, which opens the store and checks its key.
   * Throws INVALID_PARAMETERS when its calls were moved to another one.
   */
  async mark(destination: string): Promise<void> {
    const marked = await this.#table?.movedTo();
    if (marked === undefined) await this.#table?.markMoved(destination);
    else if (marked !== destination)
      throw new ToolkitError(
        'INVALID_PARAMETERS',
        `The calls of ${excerpt(this.#file)} were moved to another store than that of this configuration, and may have run there. Use the configuration with which they were moved.`,
      );
  }

  async #open(keys: HostKeys): Promise<LibsqlTable> {
    if (!existsSync(this.#file))
      throw new ToolkitError(
        'INVALID_PARAMETERS',
        `There is no store in ${excerpt(this.#file)}. Name the file that "path" of storeLibsql() names.`,
      );
    try {
      this.#table = await openTable(this.#file, keys, { isExclusive: true });
      return this.#table;
    } catch (error) {
      // Text of SQLite.
      if (!messageOf(error).includes('database is locked')) throw error;
      throw new ToolkitError(
        'STATE_UNAVAILABLE',
        `The store ${excerpt(this.#file)} is in use by another process, which could run calls that are moved. End the servers, workers and programs that use it, then run this again.`,
        { retryable: false },
        { cause: error },
      );
    }
  }
}
