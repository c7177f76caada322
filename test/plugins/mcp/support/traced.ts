import { createHash } from 'node:crypto';
import type { Kernel, PluginEntry } from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { SessionClient } from '../../../../plugins/mcp/protocol/clients/session-client.ts';
import { createTestKit } from '../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../support/after-each.ts';
import { type RecordedSpan, RecordingTracer } from '../../../support/recording-tracer.ts';
import { echoTool } from '../../../support/test-kernel.ts';
import { until } from '../../../support/until.ts';
import { handlerTool, protocolOver, source } from './client.ts';
import { ModernClient, modernVersion } from './modern-client.ts';
import { askModern } from './modern-wire.ts';
import { type Message, wireServer } from './wire.ts';
import { initialize, newest, WireClient } from './wire-client.ts';

type Params = Readonly<Record<string, unknown>>;

/** A client of a server that traces, of one era over one transport. */
export interface TracedClient {
  readonly kernel: Kernel;
  readonly tracer: RecordingTracer;
  /** Attributes that all its spans have, besides the method and the id. */
  readonly common: Readonly<Record<string, string>>;
  /** Sends a request. `headers`: of the HTTP request, where there is one. */
  ask(method: string, params?: Params, headers?: Readonly<Record<string, string>>): Promise<Message>;
  /** The spans since the client was connected. */
  spans(): readonly RecordedSpan[];
}

const never = (): Promise<never> => new Promise(() => {});

/** Tools with each kind of end, a prompt and resources. */
export const tracedTools: readonly Readonly<Record<string, unknown>>[] = [
  handlerTool(async () => 'seen', { name: 'look' }),
  handlerTool(() => 'seen', { name: 'glance' }),
  handlerTool(
    () => {
      throw new Error('no');
    },
    { name: 'fail' },
  ),
  handlerTool(never, { name: 'hang', execution: { type: 'function', handler: never, timeout_ms: 20 } }),
  handlerTool(() => 'done', { name: 'act', risk: 'medium', requires_approval: true }),
  handlerTool(async (_, { tools }) => (await tools.call('look', {})).output, { name: 'nest' }),
];

const offered = source((sink) => {
  sink.addPrompt({ name: 'review', get: () => [{ role: 'user', content: { type: 'text', text: 'Look.' } }] });
  sink.addResource({
    uri: 'note:1',
    name: 'one',
    read: async () => ({ uri: 'note:1', text: 'one', _meta: { 'toolkit/error': { code: 'TIMEOUT' } } }),
  });
});

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Server {
  readonly tracer: RecordingTracer;
  readonly more: readonly PluginEntry[];
}

function server(): Server {
  const tracer = new RecordingTracer();
  return { tracer, more: [approvalGate(), offered, tracer.plugin()] };
}

async function inMemory(): Promise<Server & { readonly kernel: Kernel }> {
  const known = server();
  const kit = await createTestKit({ plugins: known.more as never, tools: [echoTool(), ...tracedTools] });
  closers.push(() => kit.close());
  return { ...known, kernel: kit.kernel };
}

function traced(tracer: RecordingTracer, client: Omit<TracedClient, 'tracer' | 'spans'>): TracedClient {
  const before = tracer.spans.length;
  return { ...client, tracer, spans: () => tracer.spans.slice(before) };
}

const overHttp = { 'network.transport': 'tcp', 'network.protocol.name': 'http' };
const overPipe = { 'network.transport': 'pipe' };

/** Connects a client, closed after the test. */
export const tracedClients: Readonly<Record<string, () => Promise<TracedClient>>> = {
  'a session over HTTP': async () => {
    const { tracer, more } = server();
    const { port, kernel } = await wireServer({ more }, tracedTools);
    const client = await WireClient.open(port);
    const session = createHash('sha256').update(client.sessionId).digest('hex').slice(0, 16);
    return traced(tracer, {
      kernel,
      common: { 'mcp.protocol.version': newest, 'mcp.session.id': session, ...overHttp },
      ask: (method, params = {}, headers = {}) => client.at(port, headers).request(method, params),
    });
  },
  'a server without sessions over HTTP': async () => {
    const { tracer, more } = server();
    const { port, kernel } = await wireServer({ more, stateless: true }, tracedTools);
    const session = await WireClient.open(port);
    return traced(tracer, {
      kernel,
      common: { 'mcp.protocol.version': newest, ...overHttp },
      ask: (method, params = {}, headers = {}) => session.at(port, headers).request(method, params),
    });
  },
  'requests of 2026-07-28 over HTTP': async () => {
    const { tracer, more } = server();
    const { port, kernel } = await wireServer({ more }, tracedTools);
    return traced(tracer, {
      kernel,
      common: { 'mcp.protocol.version': modernVersion, ...overHttp },
      ask: (method, { _meta, ...params } = {}, headers = {}) =>
        askModern(port, { method, params, headers, meta: { ...(_meta as object) } }),
    });
  },
  'a session over a pipe': async () => {
    const { tracer, kernel } = await inMemory();
    const sent: Message[] = [];
    const protocol = protocolOver(kernel);
    const session = new SessionClient(
      protocol,
      { caller: 'default', tenant: 'default' },
      { send: (message) => void sent.push(message as Message) },
    );
    closers.push(async () => {
      await session.close();
      protocol.catalog.close();
    });
    session.receive(initialize as never);
    session.receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
    let id = 0;
    return traced(tracer, {
      kernel,
      common: { 'mcp.protocol.version': newest, ...overPipe },
      ask(method, params = {}) {
        id += 1;
        session.receive({ jsonrpc: '2.0', id, method, params });
        return until(() => sent.find((message) => message.id === id && message.method === undefined));
      },
    });
  },
  'requests of 2026-07-28 over a pipe': async () => {
    const { tracer, kernel } = await inMemory();
    const client = await ModernClient.connect(kernel);
    return traced(tracer, {
      kernel,
      common: { 'mcp.protocol.version': modernVersion, ...overPipe },
      ask: (method, params = {}) => client.ask(method, params),
    });
  },
};
