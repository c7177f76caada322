import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { ToolkitError } from '../../../kernel/index.ts';

/** Settings with which the server notices within eight seconds that packets of this connection vanish. */
const keepaliveSettings = `set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 8000`;

/** Table of the processes, each with the lock key and the backend of its present connection. */
export const createProcesses = `create table if not exists toolkit_processes (
  id text primary key,
  lock_key bigint not null,
  backend integer not null
)`;

export interface ProcessSessionOptions {
  /** Id of this process; never reused. */
  readonly id: string;
  /** Returns a new client that is not connected. */
  readonly createClient: () => Client;
  /** Called once for each connection that breaks. */
  readonly onBroken?: () => void;
}

/**
 * Session of a living process on PostgreSQL: a connection that holds an advisory lock for as long as the process lives. Each connection has
 * a lock key of its own. The next one writes its key over that of a broken one and ends the old backend, which the server may still hold.
 */
export class ProcessSession {
  readonly #options: ProcessSessionOptions;
  #client: Client | undefined;

  constructor(options: ProcessSessionOptions) {
    this.#options = options;
  }

  /** Connects, also again after the connection broke. Throws PLUGIN_INVALID behind a pooler that shares connections among clients. */
  async connect(): Promise<void> {
    const { id, createClient, onBroken = () => {} } = this.#options;
    const client = createClient();
    let isOpen = true;
    const broken = (): void => {
      if (this.#client === client) this.#client = undefined;
      if (isOpen) onBroken();
      isOpen = false;
    };
    client.on('error', broken);
    client.on('end', broken);
    try {
      await client.connect();
      await refuseSharedConnection(client, createClient);
      await client.query(keepaliveSettings);
      await client.query(createProcesses);
      const lockKey = randomBytes(8).readBigInt64BE();
      const { rows } = await client.query<{ locked: boolean; backend: number }>(
        'select pg_try_advisory_lock($1) as locked, pg_backend_pid() as backend',
        [lockKey.toString()],
      );
      // Locked before it is written: an observer that reads the row finds the lock.
      await client.query(
        `with old as (select backend from toolkit_processes where id = $1),
        ended as (
          select pg_terminate_backend(activity.pid) from old join pg_stat_activity activity on activity.pid = old.backend
          where old.backend <> pg_backend_pid() and activity.usename = current_user
        ),
        run as (select count(*) from ended)
        insert into toolkit_processes (id, lock_key, backend) select $1, $2, $3 from run
        on conflict (id) do update set lock_key = excluded.lock_key, backend = excluded.backend`,
        [id, lockKey.toString(), rows[0]?.backend],
      );
      this.#client = client;
    } catch (error) {
      isOpen = false;
      await client.end().catch(() => {});
      throw error;
    }
  }

  /** Ends in order: others see at once that the process is over. */
  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    client.removeAllListeners('end');
    await client.query('delete from toolkit_processes where id = $1', [this.#options.id]).catch(() => {});
    await client.end().catch(() => {});
  }
}

/** Throws PLUGIN_INVALID when another client gets the backend of this one, as with PgBouncer in transaction mode. */
async function refuseSharedConnection(client: Client, createClient: () => Client): Promise<void> {
  const other = createClient();
  other.on('error', () => {});
  try {
    await other.connect();
    const first = await backendOf(client);
    await other.query('begin');
    const shared = (await backendOf(other)) === first;
    const moved = (await backendOf(client)) !== first;
    await other.query('rollback');
    if (!shared && !moved) return;
  } finally {
    await other.end().catch(() => {});
  }
  throw new ToolkitError(
    'PLUGIN_INVALID',
    'The URL of the store leads to a pooler that gives each transaction another connection, such as PgBouncer with pool_mode = transaction. A process is known by a lock of its connection: use the address of PostgreSQL itself, or pool_mode = session.',
  );
}

async function backendOf(client: Client): Promise<number | undefined> {
  return (await client.query<{ backend: number }>('select pg_backend_pid() as backend')).rows[0]?.backend;
}
