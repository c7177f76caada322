import type { Socket } from 'node:net';
import type { Client } from 'pg';

/** Time in which a connection ends in order, in milliseconds. */
const timeoutMs = 1000;

/** Ends a connection in order, or destroys it after a second: a silent one never confirms its end. Never rejects. */
export async function endConnection(client: Client, socket: Socket): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  await client.end().catch(() => {});
  clearTimeout(timer);
}
