import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { RealServer } from '../postgres/server.ts';

/** Faults of the database itself. Each resolves when the fault is over. */
export const databaseFaults = {
  /** All transactions are read-only, of open connections too. */
  readOnly: async (server: RealServer, durationMs: number): Promise<void> => {
    const set = async (value: string): Promise<void> => {
      await server.rows(`alter system set default_transaction_read_only = ${value}`);
      await server.rows('select pg_reload_conf()');
    };
    await set('on');
    await wait(durationMs);
    await set('off');
  },
  /** A process of the server crashes: it ends all connections and recovers. */
  crash: async (server: RealServer): Promise<void> => {
    const [row] = await server.rows('select pg_backend_pid() as pid');
    process.kill(Number(row?.['pid']), 'SIGKILL');
  },
  /** All connections but those of the tests are ended, as before a shutdown. */
  terminate: async (server: RealServer): Promise<void> => {
    await server.rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and application_name <> 'admin'",
    );
  },
  /** A table is locked, as by a migration or a backup: reads of it wait as well. */
  lock: async (_server: RealServer, durationMs: number, database: string): Promise<void> => {
    const client = new pg.Client({ connectionString: database });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query('begin');
      await client.query('lock table toolkit_entries in access exclusive mode');
      await wait(durationMs);
      await client.query('rollback');
    } finally {
      await client.end();
    }
  },
} as const satisfies Readonly<Record<string, (server: RealServer, durationMs: number, database: string) => Promise<void>>>;

export type DatabaseFault = keyof typeof databaseFaults;
