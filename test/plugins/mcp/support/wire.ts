import { type Agent, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import sinon from 'sinon';
import type { Kernel, PluginEntry, RunningServer } from '../../../../kernel/index.ts';
import { executorCommand } from '../../../../plugins/executor-command/index.ts';
import { type McpOptions, mcp } from '../../../../plugins/mcp/index.ts';
import { createTestKit, type LogRecord } from '../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../support/after-each.ts';
import { echoTool } from '../../../support/test-kernel.ts';
import { until } from '../../../support/until.ts';

export { until };

/** The token of the caller `default`. */
export const token = 'a-token-of-the-tests';

export interface WireServer {
  readonly port: number;
  readonly kernel: Kernel;
  readonly running: readonly RunningServer[];
  readonly records: readonly LogRecord[];
}

export interface WireOptions extends McpOptions {
  readonly more?: readonly PluginEntry[];
}

const opened: Kernel[] = [];

/** An MCP server over HTTP on a free port, with these tools. The caller closes its kernel. */
export async function startServer({ more = [], ...options }: WireOptions = {}, tools: readonly unknown[] = []): Promise<WireServer> {
  const server = mcp({ transport: 'http', port: 0, mcpToken: token, ...options });
  const { kernel, log } = await createTestKit({ plugins: [executorCommand(), ...more, server], tools: [echoTool(), ...tools] });
  const running = await quietly(() => kernel.serve());
  return { kernel, running, port: Number(new URL(running[0]?.url ?? '').port), records: log };
}

/** Keeps the address that a server prints past the logger out of the report. */
export async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const stderr = sinon.stub(process.stderr, 'write').returns(true);
  return work().finally(() => stderr.restore());
}

/** The same, closed after the test. */
export async function wireServer(options: WireOptions = {}, tools: readonly unknown[] = []): Promise<WireServer> {
  const server = await startServer(options, tools);
  opened.push(server.kernel);
  return server;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((kernel) => kernel.close().catch(() => {})));
});

export interface Outgoing {
  /** @default 'POST' */
  readonly method?: string;
  /** @default '/mcp' */
  readonly path?: string;
  /** Over those of a good request; undefined leaves one out, an array repeats it. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Buffer;
  /** @default a connection of its own */
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const goodHeaders = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** Sends one request and gives the answer once its headers are there. */
export function dispatch(port: number, { method = 'POST', path = '/mcp', headers = {}, body, agent }: Outgoing): Promise<IncomingMessage> {
  const all = Object.entries({ ...goodHeaders, ...headers }).filter(([, value]) => value !== undefined);
  const options: RequestOptions = { method, path, headers: Object.fromEntries(all) as never, setHost: !('host' in headers) };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, agent: agent ?? false, ...options }, resolve)
      .once('error', reject)
      .end(body);
  });
}

/** Sends one request and reads the whole answer. */
export async function send(port: number, outgoing: Outgoing = {}): Promise<Answer> {
  const response = await dispatch(port, outgoing);
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

/**
 * Writes these bytes on a connection, says that there are no more, and gives what comes back until the server closes it. Node gives up
 * requests that are not answered yet when it hears that there are no more: `staysOpen` for those whose answers take a while.
 */
export function raw(port: number, bytes: string, { staysOpen = false } = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => (staysOpen ? socket.write(bytes) : socket.end(bytes)));
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.once('error', reject).once('close', () => resolve(text));
  });
}

export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface ServerEvent {
  readonly id: string | undefined;
  /** Undefined for the first event of a stream, which only carries its id. */
  readonly message: Message | undefined;
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: fields.get('id'), message: data === '' ? undefined : (JSON.parse(data) as Message) };
}

/** Reads the messages of an answer, from JSON or from a stream of events. */
export function messagesOf({ headers, body }: Answer): readonly Message[] {
  if (headers['content-type'] !== 'text/event-stream') return body === '' ? [] : ([JSON.parse(body)].flat() as Message[]);
  return body.split('\n\n').flatMap((block) => eventOf(block)?.message ?? []);
}

/** A stream of events that is being read. */
export class EventStream {
  readonly status: number;
  readonly events: ServerEvent[] = [];
  readonly #response: IncomingMessage;
  #isOver = false;

  constructor(response: IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.#response = response;
    let rest = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.events.push(...[eventOf(block)].filter((event) => event !== undefined));
    });
    response.on('error', () => {});
    response.once('close', () => {
      this.#isOver = true;
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The first event that fits, once it is there. */
  first(fits: (event: ServerEvent) => boolean): Promise<ServerEvent> {
    return until(() => {
      const found = this.events.find(fits);
      if (found === undefined && this.#isOver) throw new Error(`the stream ended with ${JSON.stringify(this.events).slice(0, 500)}`);
      return found;
    });
  }

  /** Resolves when the stream is over, also when it broke. */
  async end(): Promise<void> {
    await until(() => this.#isOver || undefined);
  }

  /** Drops the connection, as a client does that loses its network. */
  async drop(): Promise<void> {
    this.#response.socket.destroy();
    await this.end();
  }
}
