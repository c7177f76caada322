import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type OutboundFetch, toUrl } from '../../../kernel/index.ts';

/** Time for the end of a session, in milliseconds. */
const endTimeoutMs = 1000;

export interface HttpTransportOptions {
  readonly url: string;
  readonly transport: 'http' | 'sse';
  readonly headers: Readonly<Record<string, string>>;
  /** The guarded fetch. */
  readonly fetch: OutboundFetch;
}

/** Creates the transport to a server over HTTP: Streamable HTTP, or HTTP with SSE as of 2024-11-05. `close` ends the session as well. */
export async function httpTransport({ url, transport, headers, fetch }: HttpTransportOptions): Promise<Transport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const options = { fetch: (input: string | URL, init?: RequestInit) => fetch(input, init), requestInit: { headers: { ...headers } } };
  if (transport === 'sse') return cancelInOrder(new SSEClientTransport(toUrl(url), options));
  const http = new StreamableHTTPClientTransport(toUrl(url), options);
  const close = http.close.bind(http);
  http.close = async () => {
    if (http.sessionId !== undefined) await within(endTimeoutMs, http.terminateSession());
    await close();
  };
  return cancelInOrder(http);
}

/** Delays messages after a cancellation until the server has it: each message is a request of its own, which might overtake it. */
function cancelInOrder<T extends Transport>(transport: T): T {
  const send = transport.send.bind(transport);
  let cancelled: Promise<void> | undefined;
  transport.send = async (message, options) => {
    if (isCancellation(message)) {
      const sent = send(message, options).finally(() => {
        if (cancelled === settled) cancelled = undefined;
      });
      const settled = sent.catch(() => {});
      cancelled = settled;
      return sent;
    }
    if (cancelled !== undefined) await cancelled;
    return send(message, options);
  };
  return transport;
}

function isCancellation(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'notifications/cancelled';
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
