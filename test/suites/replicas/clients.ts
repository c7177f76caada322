import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { textOf } from '../../e2e/program.ts';
import { token } from './replicas.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (told: { readonly progress: number }) => void;
}

/** An official client of either era, which answers each question with its text as a name. */
export interface AnyClient {
  readonly era: '2025-11-25' | '2026-07-28';
  /** The text of the answer. Rejects for an error, and for a result that is one. */
  call(name: string, parameters: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<string>;
  /** Session id, in the era that has sessions. */
  readonly sessionId: () => string | undefined;
  /** Ends its session, if it has one. */
  end(): Promise<void>;
}

const capabilities = { elicitation: { form: {} } };
const requestInit = { headers: { authorization: `Bearer ${token}` } };
const timeout = 600_000;

export async function legacyClient(url: URL): Promise<AnyClient> {
  const client = new Client({ name: 'replicas', version: '1.0.0' }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, ({ params: { message } }) => ({ action: 'accept', content: { name: message } }));
  const reconnectionOptions = {
    initialReconnectionDelay: 50,
    maxReconnectionDelay: 1000,
    reconnectionDelayGrowFactor: 1.5,
    maxRetries: 100,
  };
  const transport = new StreamableHTTPClientTransport(url, { requestInit, reconnectionOptions });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return {
    era: '2025-11-25',
    call: async (name, parameters, options = {}) =>
      textOf(await client.callTool({ name, arguments: parameters }, undefined, { timeout, ...options })),
    sessionId: () => transport.sessionId,
    end: async () => {
      await transport.terminateSession();
      reconnectionOptions.maxRetries = 0;
      await client.close();
    },
  };
}

export async function modernClient(url: URL): Promise<AnyClient> {
  const client = new ModernClient(
    { name: 'replicas', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept' as const,
    content: { name: (params as { message: string }).message },
  }));
  await client.connect(new ModernTransport(url, { requestInit }));
  return {
    era: '2026-07-28',
    call: async (name, parameters, options = {}) => textOf(await client.callTool({ name, arguments: parameters }, { timeout, ...options })),
    sessionId: () => undefined,
    end: () => client.close(),
  };
}
