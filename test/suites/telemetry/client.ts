import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export type Era = '2025-11-25' | '2026-07-28';
export type TransportName = 'stdio' | 'HTTP';

/** Limit of a request, in milliseconds: only for what hangs. */
const timeout = 600_000;

const clientInfo = { name: 'suite', version: '1.0.0' };
const capabilities = { elicitation: { form: {} } };

type Json = Readonly<Record<string, unknown>>;

/** The official client of one era. Each of its requests is part of the trace `traceparent`. */
export class TracedClient {
  readonly era: Era;
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #answers = new Map<unknown, (result: Json) => void>();
  /** The place in a trace of the next requests. */
  traceparent = '';
  /** The baggage of the next requests (W3C Baggage). */
  baggage: string | undefined;
  /** The answer of its person to questions. */
  answer: 'accept' | 'decline' = 'accept';
  #lastId = 1000;

  private constructor(era: Era, client: Client, transport: Transport) {
    this.era = era;
    this.#client = client;
    this.#transport = transport;
  }

  static async connect(era: Era, transport: Transport): Promise<TracedClient> {
    const mode = era === '2025-11-25' ? ('legacy' as const) : { pin: era };
    const client = new Client(clientInfo, { capabilities, versionNegotiation: { mode } });
    const traced = new TracedClient(era, client, transport);
    client.setRequestHandler('elicitation/create', () => ({ action: traced.answer, content: { approve: true } }));
    await client.connect(transport, { timeout });
    traced.#watch();
    return traced;
  }

  /** Id of its session over HTTP, in the era that has sessions. */
  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  list(): Promise<unknown> {
    return this.#client.listTools({ _meta: this.#meta }, { timeout });
  }

  /** Calls a tool. Returns its result, also one that is an error. */
  call(name: string, parameters: Json = {}, signal?: AbortSignal): Promise<unknown> {
    const options = { timeout, ...(signal === undefined ? {} : { signal }) };
    return this.#client.callTool({ name, arguments: { ...parameters }, _meta: this.#meta }, options);
  }

  read(uri: string): Promise<unknown> {
    return this.#client.readResource({ uri, _meta: this.#meta }, { timeout });
  }

  prompt(name: string): Promise<unknown> {
    return this.#client.getPrompt({ name, _meta: this.#meta }, { timeout });
  }

  /** Sends a request of a client with tasks, which the official one does not have in this era. */
  request(method: string, params: Json): Promise<Json> {
    const id = ++this.#lastId;
    const _meta = {
      ...this.#meta,
      'io.modelcontextprotocol/protocolVersion': this.era,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': { ...capabilities, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    };
    return new Promise((resolve, reject) => {
      this.#answers.set(id, resolve);
      this.#transport.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }).catch(reject);
    });
  }

  /** Ends its server over stdio by a signal and waits for that; over HTTP only the client ends. */
  async end(): Promise<void> {
    const transport = this.#transport;
    if (!(transport instanceof StdioClientTransport)) return this.#client.close();
    const { pid } = transport;
    if (pid === null) return;
    const ended = new Promise<void>((resolve) => {
      this.#client.onclose = resolve;
    });
    process.kill(pid, 'SIGTERM');
    await ended;
  }

  get #meta(): Json {
    return { traceparent: this.traceparent, ...(this.baggage === undefined ? {} : { baggage: this.baggage }) };
  }

  /** Takes the answers to requests that the official client has not sent. */
  #watch(): void {
    const { onmessage } = this.#transport;
    this.#transport.onmessage = (message, extra) => {
      const { id, method, result, error } = message as Json;
      const answer = method === undefined ? this.#answers.get(id) : undefined;
      if (answer === undefined) onmessage?.(message, extra);
      else answer((result ?? error) as Json);
    };
  }
}

/** A client over HTTP. */
export function httpTransport(url: string, token: string): Transport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } });
}
