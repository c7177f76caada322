import net from 'node:net';
import type { HostAddress } from '../../../kernel/index.ts';

export interface Connection {
  readonly socket: net.Socket;
  /** Address that answered first. */
  readonly address: string;
}

/** Maximum number of addresses of one host, all tried at once. */
const maxAddresses = 8;

/**
 * Connects to the first of the addresses that answers, and closes the other connections. Sends nothing. Rejects with the reason
 * of the signal, or with an AggregateError of the errors of all addresses.
 */
export async function connectFirst(addresses: readonly HostAddress[], port: number, signal: AbortSignal): Promise<Connection> {
  const losers = new AbortController();
  const either = AbortSignal.any([signal, losers.signal]);
  const attempts = addresses.slice(0, maxAddresses).map((address) => connectOne(address, port, either));
  try {
    return await Promise.any(attempts);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    losers.abort();
  }
}

function connectOne({ address, family }: HostAddress, port: number, signal: AbortSignal): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: address, port, family });
    const stop = (): void => void socket.destroy(new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop);
      resolve({ socket, address });
    });
    // The listener stays: without one, a later error of the connection would end the process.
    socket.on('error', reject);
  });
}
