import { Socket } from 'node:net';
import type { Client } from 'pg';
import { ToolkitError } from '../../../kernel/index.ts';
import { endConnection } from './end-connection.ts';

/** Throws PLUGIN_INVALID when another client gets the backend of this one, as with PgBouncer in transaction mode. */
export async function refuseSharedConnection(client: Client, createClient: (stream: () => Socket) => Client): Promise<void> {
  const socket = new Socket();
  const other = createClient(() => socket);
  other.on('error', () => {});
  try {
    await other.connect();
    const first = await backendOf(client);
    await other.query('begin');
    const isShared = (await backendOf(other)) === first;
    const hasMoved = (await backendOf(client)) !== first;
    await other.query('rollback');
    if (!isShared && !hasMoved) return;
  } finally {
    await endConnection(other, socket);
  }
  throw new ToolkitError(
    'PLUGIN_INVALID',
    'The URL of the store leads to a pooler that gives each transaction another connection, such as PgBouncer with pool_mode = transaction. A process is known by a lock of its connection: use the address of PostgreSQL itself, or pool_mode = session.',
  );
}

async function backendOf(client: Client): Promise<number | undefined> {
  return (await client.query<{ backend: number }>('select pg_backend_pid() as backend')).rows[0]?.backend;
}
