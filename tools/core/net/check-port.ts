import { excerpt, type HostAddress, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { connectFirst } from './connect.ts';
import { type ConnectionFailure, connectionFailure } from './connection-failure.ts';
import { startDeadline, untilAborted } from './deadline.ts';

interface CheckPortParameters {
  readonly host: string;
  readonly port: number;
  readonly timeout_ms: number;
}

interface PortState {
  readonly open: boolean;
  readonly latency_ms: number | null;
  readonly error: ConnectionFailure | null;
  readonly address: string | null;
}

/**
 * Connects and closes the connection. Throws INVALID_PARAMETERS and NOT_FOUND for the host, OUTBOUND_BLOCKED, and TIMEOUT when
 * the name is not resolved in time.
 */
export async function checkPort({ host, port, timeout_ms }: CheckPortParameters, context: FunctionContext): Promise<PortState> {
  const deadline = startDeadline(context.signal, timeout_ms, () => lookupTooSlow(host, timeout_ms));
  try {
    const addresses = await untilAborted(context.addressesOf(host, port), deadline.signal);
    return await context.exchange('tcp', { addresses, port }, () => knock(addresses, port, deadline.signal));
  } finally {
    deadline.end();
  }
}

async function knock(addresses: readonly HostAddress[], port: number, signal: AbortSignal): Promise<PortState> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round((performance.now() - startedAt) * 10) / 10;
  try {
    const { socket, address } = await connectFirst(addresses, port, signal);
    const latency_ms = elapsed();
    socket.destroy();
    return { open: true, latency_ms, error: null, address };
  } catch (error) {
    const failure = signal.aborted ? 'timeout' : connectionFailure(error);
    return { open: false, latency_ms: failure === 'refused' ? elapsed() : null, error: failure, address: null };
  }
}

function lookupTooSlow(host: string, timeoutMs: number): ToolkitError {
  const message = `The address of "${excerpt(host)}" was not found within ${timeoutMs} ms. Try again, or with a larger "timeout_ms".`;
  return new ToolkitError('TIMEOUT', message, { timeoutMs });
}
