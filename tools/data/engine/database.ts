import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** An empty database in memory, for one call. */
export interface Database {
  readonly connection: DuckDBConnection;
  /** Takes every file, setting and extension away from what runs from now on; cannot be undone. */
  lock(): Promise<void>;
  close(): void;
}

/**
 * Memory for tables and results. Beyond it a statement ends with an error: nothing is spilled to a disk, which the process may not write to.
 */
const memoryLimit = '1GB';

/** Opens a database that loads no extension beside those built in, and reaches no network. */
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
      // One thread: rows come in the same order each time, so that a page goes on where the one before ended.
      for (const setting of ['threads = 1', 'enable_external_access = false', 'lock_configuration = true'])
        await connection.run(`SET ${setting}`);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
