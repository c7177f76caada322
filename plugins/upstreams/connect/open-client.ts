import type { Client, ClientCapabilities, StandardSchemaV1, Transport } from '@modelcontextprotocol/client';
import { excerpt, type Logger, messageOf, type OutboundFetch, type ProgramStart, ToolkitError } from '../../../kernel/index.ts';
import { type LaunchProgram, minimalEnvironment } from '../../shared/process/program.ts';
import type { CountChild } from '../gauges.ts';
import type { ServerSettings } from '../settings.ts';
import { connectionError, statusOf } from './connection-error.ts';
import { httpTransport } from './http-transport.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface OpenOptions {
  readonly settings: ServerSettings;
  /** `env` or `headers`, with the secrets in them. */
  readonly values: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  readonly fetch: OutboundFetch;
  readonly launch?: LaunchProgram | undefined;
  /** Called with the end of the process that has begun. */
  readonly onStart?: CountChild | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Limit of the whole handshake, in milliseconds. */
  readonly timeoutMs: number;
  /** Adds the handlers before the connection is used. */
  readonly prepare: (client: Client, transport: Transport) => void;
  readonly known: KnownEra;
}

/** The era and the transport that a server was found to speak, and how it asks, so that later connections need not try. */
export interface KnownEra {
  era?: 'legacy' | undefined;
  transport?: 'sse' | undefined;
  /** True for one of 2025 that has asked one caller while several of its calls ran, each of which a question would have ended. */
  isOneByOne?: boolean;
}

export interface OpenClient {
  readonly client: Client;
  readonly transport: Transport;
  /** Lets the connection keep this process alive while it works. */
  keepAliveWhile(isWorking: boolean): void;
}

/** Time for the answer to `server/discover` of a server on standard input and output: older ones may not answer at all. */
const probeMs = 5000;

/**
 * Connects to a server and agrees on the version of the protocol: 2026-07-28 first, then the handshake of 2025. A server that ends itself at the
 * first question is started again for that handshake; one over HTTP that answers 4xx is tried as one of 2024-11-05 (MCP, Backwards
 * Compatibility). Nothing is left behind when it throws.
 */
export async function openClient(options: OpenOptions): Promise<OpenClient> {
  const { settings, known } = options;
  try {
    return await attempt(options, known.transport ?? settings.transport);
  } catch (error) {
    options.signal.throwIfAborted();
    if (settings.transport === 'stdio' && known.era === undefined && /closed during|probed in place/.test(messageOf(error))) {
      const open = await attempt({ ...options, known: { era: 'legacy' } }, 'stdio').catch((second: unknown) => {
        throw connectionError(second, settings.name);
      });
      known.era = 'legacy';
      return open;
    }
    const status = statusOf(error) ?? 0;
    const isRefused = status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;
    if (settings.transport !== 'http' || !settings.mayFallBack || known.transport !== undefined || !isRefused)
      throw connectionError(error, settings.name);
    const open = await attempt(options, 'sse').catch(() => {
      throw connectionError(error, settings.name);
    });
    known.transport = 'sse';
    return open;
  }
}

async function attempt(options: OpenOptions, kind: ServerSettings['transport']): Promise<OpenClient> {
  const { settings, signal, timeoutMs, known } = options;
  const sdk = await import('@modelcontextprotocol/client');
  const stdio = kind === 'stdio' ? new StdioTransport({ start: startOf(options), ...options, name: settings.name }) : undefined;
  const http = {
    url: settings.url ?? '',
    transport: kind === 'sse' ? 'sse' : 'http',
    headers: options.values,
    fetch: options.fetch,
  } as const;
  const transport = stdio ?? (await httpTransport(http));
  const client = rawClient(sdk.Client, settings, kind === 'stdio' ? Math.min(probeMs, timeoutMs / 2) : timeoutMs);
  options.prepare(client, transport);
  const isLegacy = known.era === 'legacy' || kind === 'sse';
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new ToolkitError('TIMEOUT', `it did not answer within ${timeoutMs} ms`)), timeoutMs);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    await Promise.race([
      client.connect(transport, { signal: either, timeout: timeoutMs, ...(isLegacy ? { prior: { kind: 'legacy' } } : {}) }),
      aborted(either),
    ]);
    return { client, transport, keepAliveWhile: (isWorking) => stdio?.keepAliveWhile(isWorking) };
  } catch (error) {
    await transport.close().catch(() => {});
    const said = stdio?.errorOutput.text.trim() ?? '';
    if (said === '' || !(error instanceof Error)) throw error;
    throw new ToolkitError(
      'UPSTREAM_UNAVAILABLE',
      `${messageOf(error)}. Its last words: ${excerpt(said.slice(-300), 300)}`,
      {},
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

function startOf({ settings, values, cwd }: OpenOptions): ProgramStart {
  return { program: settings.command ?? '', args: settings.args ?? [], env: { ...minimalEnvironment(), ...values }, cwd };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Accepts every result as it is, so that nothing of it is lost. */
const anyResult: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'toolkit', validate: (value: unknown) => ({ value }) } };

/** Creates a client whose requests resolve to results as the server sent them. */
function rawClient(Base: typeof Client, { sampling = false }: ServerSettings, probeTimeoutMs: number): Client {
  const capabilities: ClientCapabilities = { elicitation: { form: {} }, roots: {}, ...(sampling ? { sampling: {} } : {}) };
  const client = new Base(
    { name: 'toolkit', version: '1' },
    { capabilities, versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeTimeoutMs } }, inputRequired: { autoFulfill: false } },
  );
  const request = client.request.bind(client) as (...given: unknown[]) => Promise<unknown>;
  const raw = (asked: { readonly method: string }, first: unknown, second: unknown): Promise<unknown> => {
    const hasSchema = typeof first === 'object' && first !== null && '~standard' in first;
    return hasSchema ? request(asked, first, second) : request(asked, anyResult, first);
  };
  client.request = raw as unknown as Client['request'];
  return client;
}
