import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** Empty database in memory, for one call. */
export interface Database {
  readonly connection: DuckDBConnection;
  /** Removes access to files, settings and extensions for all later statements; cannot be undone. */
  lock(): Promise<void>;
  close(): void;
}

/**
 * Memory for tables and results. A statement that needs more fails: nothing is spilled to disk, because the process may not
 * write there.
 */
const memoryLimit = '1GB';

/** Opens a database without network, and with built-in extensions only. */
export async function openDatabase(): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: memoryLimit,
    threads: '2',
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return {
    connection,
    async lock() {
      // One thread: rows have the same order in each call, so that a page continues where the one before ended.
      for (const setting of ['threads = 1', 'enable_external_access = false', 'lock_configuration = true'])
        await connection.run(`SET ${setting}`);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
