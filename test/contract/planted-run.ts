import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import sinon from 'sinon';
import { type Answering, whenRead } from '../../fixtures/servers/when-read.ts';
import { apiVersion, ask, type CallEnd, createKernel, definePlugin, deny, type Kernel, type Plugin } from '../../kernel/index.ts';
import { mcp } from '../../plugins/mcp/index.ts';
import { standard } from '../../plugins/toolkit/standard.ts';
import { type LogRecord, memoryLogger } from '../../plugins/toolkit/testing.ts';
import { until } from '../plugins/mcp/support/wire.ts';
import { inEnvironment, ownOfCall, planted, plantedTokens, toolFiles } from './planted.ts';
import { connectPlanted, plantedProvider, startTokenServer } from './planted-login.ts';
import { definitions, type PlannedCall, plannedCalls } from './planted-tools.ts';

/** Suppliers of the planted secrets. */
export const suppliers = ['a store', 'an account'] as const;

/** Everything that could be seen of a run, by kind. */
export interface Evidence {
  readonly kernel: Kernel;
  /** Secrets of the tools, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Results or failures of calls by their title: from host code, from host code with its own credentials, over MCP. */
  readonly results: ReadonlyMap<string, readonly unknown[]>;
  readonly records: readonly LogRecord[];
  readonly ends: readonly CallEnd[];
  /** Progress notes that the caller got, by the title of the call. */
  readonly notes: ReadonlyMap<string, readonly unknown[]>;
  /** Every message of the MCP server, listings included. */
  readonly messages: readonly unknown[];
  /** Requests that the service received, unchanged. */
  readonly received: string;
  readonly environments: { readonly before: NodeJS.ProcessEnv; readonly after: NodeJS.ProcessEnv };
  /** Files below the working directory, by name: before and after. */
  readonly files: { readonly before: ReadonlyMap<string, string>; readonly after: ReadonlyMap<string, string> };
  /** Files below the state folder after the run, by name. */
  readonly state: ReadonlyMap<string, string>;
  /** The error of asking for a secret outside a call. */
  readonly storeFailure: unknown;
}

/** A service that shows what it gets. */
async function startService() {
  let received = '';
  const answer: Answering = ({ url = '', headers }, read, response) => {
    const body = read.toString('utf8');
    const pair = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString();
    const shown = JSON.stringify({
      headers,
      url,
      body,
      pair,
      message: `${'x'.repeat(190)}${pair}`,
      in64: Buffer.from(`u:${pair}`).toString('base64'),
    });
    received += `${url}\n${pair}\n${JSON.parse(body).text}\n`;
    const statuses: Record<string, number> = { fail: 400, refused: 401, elsewhere: 302 };
    const kind = url.split('/')[1] ?? '';
    const location = kind === 'elsewhere' ? { location: `http://10.0.0.1/?${encodeURIComponent(pair)}` } : {};
    response.writeHead(statuses[kind] ?? 200, { 'content-type': 'application/json', 'x-echo': url, ...location });
    response.end(kind === 'garbage' ? shown.slice(0, -1) : shown);
  };
  const server = createServer({ keepAliveTimeout: 0 }, whenRead(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received: () => received, close: () => server.close() };
}

function plugins(ends: CallEnd[], stored: Readonly<Record<string, string>>): Plugin[] {
  const store = definePlugin({
    name: 'planted-store',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.resolveSecrets.tap('planted-store', (sink) => {
        if (sink.missing.includes('BROKEN_TOKEN')) throw new Error(`no connection as ${stored['WILD_SECRET']}`, { cause: stored });
        for (const name of sink.missing) if (Object.hasOwn(stored, name)) sink.provide(name, stored[name] ?? '');
      }),
  });
  const policy = definePlugin({
    name: 'planted-policy',
    apiVersion,
    apply({ hooks }) {
      hooks.beforeExecute.tap('planted-policy', (draft) => {
        const reason = { kind: 'rule', message: `the text is ${draft.parameters['text']}` };
        if (draft.tool.name === 'js_denied') return deny(draft, reason);
        return draft.tool.name === 'js_gated' ? ask(draft, reason) : undefined;
      });
      hooks.approve.tap('planted-policy', ({ call }) => ({ approved: true, by: `who saw ${call.parameters['text']}`, reason: 'seen' }));
      hooks.settled.tap('planted-policy', (end) => void ends.push(end));
    },
  });
  return [store(), policy()];
}

async function filesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(name, 'latin1')] as const)));
}

/** An official client over HTTP that keeps every message it gets, and says yes to every question. */
async function connect(url: string, token: string, messages: unknown[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {}, sampling: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { approve: true } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: 'yes' },
  }));
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    messages.push(message);
    onmessage?.(message);
  };
  await client.setLoggingLevel('debug');
  return client;
}

/** Makes every planned call in every way, and ends what it started. */
export async function plantedRun(supplier: (typeof suppliers)[number]): Promise<Evidence> {
  const isAccount = supplier === 'an account';
  const values = isAccount ? plantedTokens : planted;
  const service = await startService();
  const tokenServer = await startTokenServer();
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-')));
  const state = await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-'));
  const files = { ...toolFiles, ...definitions(service.url), ...(isAccount ? plantedProvider(tokenServer) : {}) };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  const { XDG_STATE_HOME: earlierState = '' } = process.env;
  Object.assign(process.env, inEnvironment, { XDG_STATE_HOME: state });
  const before = { ...process.env };
  const logger = memoryLogger();
  const [ends, messages]: [CallEnd[], unknown[]] = [[], []];
  const kernel = await createKernel({
    cwd: folder,
    logger,
    plugins: [
      standard({ toolPaths: ['.'], autoDiscover: false, includeCore: false }),
      ...plugins(ends, isAccount ? {} : planted),
      mcp({ transport: 'http', port: 0, mcpToken: 'the-token-of-the-server' }),
    ],
  });
  try {
    if (isAccount) await connectPlanted(kernel, tokenServer);
    const filesBefore = await filesBelow(folder);
    const stderr = sinon.stub(process.stderr, 'write').returns(true);
    const [server] = await kernel.serve().finally(() => stderr.restore());
    const client = await connect(server?.url ?? '', server?.token ?? '', messages);
    await Promise.all([client.listTools(), client.listResources(), client.listPrompts(), client.listResourceTemplates()]);
    const results = new Map<string, unknown[]>();
    const notes = new Map<string, unknown[]>();
    for (const planned of plannedCalls) {
      const ownNotes: unknown[] = [];
      notes.set(planned.title, ownNotes);
      results.set(
        planned.title,
        await callInEveryWay(kernel, client, { records: logger.records, values }, planned, (note) => ownNotes.push(note)),
      );
    }
    results.set('a tool that is not there', [await kernel.execute(planted['PLAIN_TOKEN'] ?? '').catch((error: unknown) => error)]);
    const storeFailure = await kernel.resolveSecrets(['BROKEN_TOKEN']).catch((error: unknown) => error);
    await client.close();
    return {
      kernel,
      values,
      results,
      records: logger.records,
      ends,
      notes,
      messages,
      received: service.received(),
      environments: { before, after: { ...process.env } },
      files: { before: filesBefore, after: await filesBelow(folder) },
      state: await filesBelow(state),
      storeFailure,
    };
  } finally {
    await kernel.close();
    service.close();
    process.env['XDG_STATE_HOME'] = earlierState;
    for (const name of Object.keys(inEnvironment)) delete process.env[name];
    for (const each of [folder, state]) await rm(each, { recursive: true, force: true });
  }
}

async function callInEveryWay(
  kernel: Kernel,
  client: Client,
  { records, values }: Pick<Evidence, 'records' | 'values'>,
  { tool, parameters = () => ({}), leaves = false }: PlannedCall,
  onProgress: (note: unknown) => void,
): Promise<unknown[]> {
  const needs = kernel.registry.get(tool).credentials.map(({ name }) => name);
  const own = Object.fromEntries(Object.entries(ownOfCall).filter(([name]) => needs.includes(name)));
  const ways: (() => Promise<unknown>)[] = [
    () => kernel.call({ tool, parameters: parameters(values), onProgress }),
    () => kernel.call({ tool, parameters: parameters(ownOfCall), credentials: own, onProgress }),
    () => client.callTool({ name: tool, arguments: { ...parameters(values) } }, undefined, { onprogress: onProgress }),
  ];
  const results: unknown[] = [];
  const lateErrors = (): number => records.filter(({ message }) => message === 'a function failed after its call had ended').length;
  for (const way of ways) {
    const count = lateErrors();
    results.push(await way().catch((error: unknown) => error));
    if (leaves) await until(() => (lateErrors() > count ? true : undefined));
  }
  return results;
}
