import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import type { Client } from 'pg';
import { setKeepalive } from '../state/postgres-keepalive.ts';
import { endConnection } from './end-connection.ts';
import { isLockWith } from './process-lock.ts';
import { refuseSharedConnection } from './shared-connection.ts';

/** Table of the processes, each with the lock key of its present connection. */
export const createProcesses = 'create table toolkit_processes (id text primary key, lock_key bigint not null)';

/** Ends the backend that holds the lock of the earlier connection, then writes the key of this one. */
const writeKey = `with old as (select lock_key from toolkit_processes where id = $1),
  ended as (
    select pg_terminate_backend(lock.pid) from old
    join pg_locks lock on ${isLockWith('old.lock_key')}
    join pg_stat_activity activity on activity.pid = lock.pid and activity.usename = current_user
    where lock.pid <> pg_backend_pid()
  ),
  run as (select count(*) from ended)
  insert into toolkit_processes (id, lock_key) select $1, $2 from run
  on conflict (id) do update set lock_key = excluded.lock_key`;

/** Returns a new client that is not connected and uses this socket. Its statements and its connecting have a time limit. */
export type CreateClient = (stream: () => Socket) => Client;

export interface ProcessSessionOptions {
  /** Id of this process; never reused. */
  readonly id: string;
  readonly createClient: CreateClient;
  /** Called once for each connection that breaks. */
  readonly onBroken?: () => void;
}

interface Connection {
  readonly client: Client;
  readonly socket: Socket;
}

/**
 * Session of a living process on PostgreSQL: a connection that holds an advisory lock for as long as the process lives. Each connection has
 * a lock key of its own. The next one writes its key over that of a broken one and ends the old backend, which the server may still hold.
 */
export class ProcessSession {
  readonly #options: ProcessSessionOptions;
  #connection: Connection | undefined;

  constructor(options: ProcessSessionOptions) {
    this.#options = options;
  }

  /** Connects, also again after the connection broke. Throws PLUGIN_INVALID behind a pooler that shares connections among clients. */
  async connect(): Promise<void> {
    const { id, createClient, onBroken = () => {} } = this.#options;
    const socket = new Socket();
    const connection = { client: createClient(() => socket), socket };
    const { client } = connection;
    const broken = (): void => {
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      onBroken();
    };
    client.on('error', broken);
    client.on('end', broken);
    try {
      await client.connect();
      await refuseSharedConnection(client, createClient);
      await client.query(setKeepalive);
      const lockKey = randomBytes(8).readBigInt64BE().toString();
      // Locked before it is written: an observer that reads the row finds the lock.
      await client.query('select pg_advisory_lock($1)', [lockKey]);
      await client.query(writeKey, [id, lockKey]);
      socket.unref();
      this.#connection = connection;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Tests the connection. One that does not answer in time counts as broken. */
  async test(): Promise<void> {
    const connection = this.#connection;
    // Without this, a connection that swallows packets would look open for hours.
    await connection?.client.query('select 1').catch(() => connection.socket.destroy());
  }

  /** Ends in order: others see at once that the process is over. */
  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    connection.socket.ref();
    await connection.client.query('delete from toolkit_processes where id = $1', [this.#options.id]).then(
      () => endConnection(connection.client, connection.socket),
      () => connection.socket.destroy(),
    );
  }
}
