import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ClientCapabilities, JSONRPCMessage, McpError } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import {
  apiVersion,
  type DiscoverSink,
  definePlugin,
  type ErrorCode,
  type Kernel,
  type Plugin,
  type PluginEntry,
} from '../../../../kernel/index.ts';
import { executorCommand } from '../../../../plugins/executor-command/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { RequestStates } from '../../../../plugins/mcp/protocol/asking/request-states.ts';
import { Catalog } from '../../../../plugins/mcp/protocol/catalog/catalog.ts';
import type { ProtocolOptions } from '../../../../plugins/mcp/protocol/clients/connection.ts';
import { SessionClient } from '../../../../plugins/mcp/protocol/clients/session-client.ts';
import { type ShareLimits, Shares } from '../../../../plugins/mcp/protocol/clients/shares.ts';
import { Tasks } from '../../../../plugins/mcp/protocol/tasks/tasks.ts';
import type { ExposureChoice } from '../../../../plugins/shared/exposure/exposure.ts';
import type { OutputSchemas } from '../../../../plugins/shared/exposure/listed-schemas.ts';
import { decideToolAccess } from '../../../../plugins/shared/exposure/tool-access.ts';
import type { Message } from '../../../../plugins/shared/json-rpc/message.ts';
import { HostKeys } from '../../../../plugins/shared/keys/host-keys.ts';
import { skillFiles } from '../../../../plugins/skill-files/index.ts';
import { toolFiles } from '../../../../plugins/tool-files/index.ts';
import { afterEach } from '../../../support/after-each.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

export interface ConnectOptions {
  readonly capabilities?: ClientCapabilities;
  readonly tools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly expose?: ExposureChoice;
  readonly pinned?: readonly string[];
  readonly outputSchemas?: OutputSchemas;
  /** Name of the client in its `initialize` request. */
  readonly name?: string;
  readonly pageSize?: number;
  readonly caller?: string;
  readonly limits?: Partial<ShareLimits>;
}

export interface Connected {
  readonly client: Client;
  /** Every message of the server so far, in order. */
  readonly sent: readonly JSONRPCMessage[];
  /** Calls a tool; the arguments are sent as they are. */
  call(name: string, parameters?: Readonly<Record<string, unknown>>, options?: RequestOptions): Promise<CallToolResult>;
  /** The parameters of every notification of this method, once all that is on its way has come. */
  heard(method: string): Promise<Record<string, unknown>[]>;
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** An official MCP client, connected in memory to a server over this kernel; closed after the test. Messages pass as JSON, as on a wire. */
export async function connect(kernel: Kernel, options: ConnectOptions = {}): Promise<Connected> {
  const { capabilities = {}, caller = 'default', name = 'test' } = options;
  const protocol = protocolOver(kernel, options);
  const client = new Client({ name, version: '1.0.0' }, { capabilities });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const sent: JSONRPCMessage[] = [];
  overJson(clientSide, () => {});
  overJson(serverSide, (message) => sent.push(message));
  const server = new SessionClient(
    protocol,
    { caller, tenant: caller },
    { send: (message) => void serverSide.send(message as JSONRPCMessage) },
  );
  serverSide.onmessage = (message) => server.receive(message as Message);
  serverSide.onclose = () => void server.close();
  closers.push(async () => {
    await client.close();
    protocol.catalog.close();
  });
  await Promise.all([serverSide.start(), client.connect(clientSide)]);
  return {
    client,
    sent,
    call: async (name, parameters = {}, request) =>
      (await client.callTool({ name, arguments: parameters }, undefined, request)) as CallToolResult,
    async heard(method) {
      await quiet(client);
      return sent.flatMap((message) => ('method' in message && message.method === method ? [message.params ?? {}] : []));
    },
  };
}

/** Makes what all connections of a server over this kernel share. */
export function protocolOver(
  kernel: Kernel,
  { pageSize = 1000, limits = {}, expose = 'all', capabilities: _, name: __, caller: ___, ...offered }: ConnectOptions = {},
  keys = new HostKeys({ logger: kernel.logger, maskAlso: () => {} }),
): ProtocolOptions {
  const catalog = new Catalog(kernel, decideToolAccess({ ...offered, expose }, kernel.registry));
  const shares = new Shares({ requests: 256, connections: 1000, subscriptions: 1000, ...limits });
  return { catalog, expose, version: '0.0.0', pageSize, shares, keys, states: new RequestStates(keys), tasks: new Tasks() };
}

/** Resolves when what the server had begun to send has come: its answers are in order. */
export async function quiet(client: Client): Promise<void> {
  await client.ping();
  await client.ping();
}

function overJson(transport: InMemoryTransport, see: (message: JSONRPCMessage) => void): void {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    const copy = JSON.parse(JSON.stringify(message)) as JSONRPCMessage;
    see(copy);
    await send(copy, options);
  };
}

/** The error with which a request is answered; fails when it is not, or with another code. */
export async function refusal(request: Promise<unknown>, code: number): Promise<McpError> {
  const error = await request.then(
    (result) => Promise.reject(new Error(`expected the error ${code}, received ${JSON.stringify(result)}`)),
    (thrown: McpError) => thrown,
  );
  expect(error.code, error.message).to.equal(code);
  return error;
}

/** The structured error of a failed call; fails when the call did not fail, or with another code. */
export function failure({ isError, content, _meta }: CallToolResult, code: ErrorCode): Record<string, unknown> {
  expect(isError, JSON.stringify(content)).to.equal(true);
  const error = _meta?.['toolkit/error'] as Record<string, unknown>;
  expect(error['code'], JSON.stringify(error)).to.equal(code);
  const isToldToWait = error['retryable'] === true && error['retryAfterMs'] !== undefined;
  const wait = !isToldToWait ? '' : ` Wait ${Math.ceil(Number(error['retryAfterMs']) / 1000)} s before calling again.`;
  const [part, ...others] = content;
  const text = part?.type === 'text' ? part.text : '';
  expect(others).to.deep.equal([]);
  // Below it there may be the answer of a call that went well otherwise.
  expect(text.split('\nIts answer', 1)[0]).to.equal(`${code}: ${error['message']}${wait}`);
  return error;
}

/** The text of a call that went well. */
export function textOf({ isError, content }: CallToolResult): string {
  const text = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('');
  expect(isError, text).to.equal(undefined);
  return text;
}

export type Handler = (parameters: never, context: FunctionContext) => unknown;

/** A function tool, called `it` unless it is given another name. */
export function handlerTool(handler: Handler, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { name: 'it', description: 'Does it.', execution: { type: 'function', handler }, ...more };
}

/** A plugin that adds things when it is asked, also on each reload. */
export function source(fill: (sink: DiscoverSink) => void, name = 'source'): Plugin {
  return definePlugin({ name, apiVersion, apply: ({ hooks }) => hooks.discover.tap(name, fill) })();
}

/** Something to wait for, and to let happen. */
export function gate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open: (value) => open(value) };
}

/** The text of a SKILL.md; `more` are further lines of its front matter. */
export const skill = (name: string, more = ''): string => `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n\n# ${name}\n`;

export const skillUri = (name: string): string => `skill://${name}/SKILL.md`;

/** A kernel over a folder with tools in `tools/` and skills in `skills/`. */
export async function landscape(
  files: Readonly<Record<string, string>>,
  more: readonly PluginEntry[] = [],
): Promise<{ readonly folder: string; readonly kernel: Kernel }> {
  const folder = await temporaryFolder(files);
  const pathsIn = (name: string): string[] => (Object.keys(files).some((file) => file.startsWith(`${name}/`)) ? [name] : []);
  const plugins = [toolFiles({ toolPaths: pathsIn('tools') }), skillFiles({ skillPaths: pathsIn('skills') }), executorCommand(), ...more];
  return { folder, kernel: await bareKernel({ plugins, cwd: folder }) };
}
