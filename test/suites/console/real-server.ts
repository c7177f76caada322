import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import sinon from 'sinon';
import { apiVersion, createKernel, definePlugin, type Kernel } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../plugins/approvals/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { consoleLogin } from '../../../plugins/console/console-fact.ts';
import { console as consolePlugin } from '../../../plugins/console/index.ts';
import { mcp } from '../../../plugins/mcp/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { upstreams } from '../../../plugins/upstreams/index.ts';
import { RecordingTracer } from '../../support/recording-tracer.ts';
import { foldersForFile, temporaryFolder } from '../../support/temporary.ts';

const token = 'token-of-the-tests';
const changingServer = path.resolve('fixtures/servers/upstreams/hostile.mjs');

/** The tool folder: payments wait for a person, orders too, and both are written as a project has them. */
const toolFiles = {
  'tools/pay_invoice.yaml': `
name: pay_invoice
description: Pays an invoice.
parameters: { amount: { type: number, required: true }, to: { type: string, required: true } }
requires_approval: true
risk: high
execution: { type: function, code: ./pay.mjs }
`,
  'tools/pay.mjs': 'export default ({ amount, to }) => ({ paid: amount, to });\n',
  'tools/order_create.yaml': `
name: order_create
description: Creates an order.
input_schema:
  type: object
  required: [item, count]
  additionalProperties: false
  properties:
    item: { type: string, description: The article, minLength: 2 }
    count: { type: integer, minimum: 1, maximum: 9 }
    gift: { type: boolean }
    delivery: { enum: [post, courier] }
requires_approval: true
risk: medium
execution: { type: function, code: ./order.mjs }
`,
  'tools/order.mjs': 'export default (order) => ({ created: order });\n',
};

/** A client of MCP over HTTP, which cannot ask its person. */
export interface ModelClient {
  /** Calls a tool. Resolves to the text of the result, behind `error: ` when it is one. */
  call(name: string, parameters: Readonly<Record<string, unknown>>): Promise<string>;
  /** Returns the description of a tool in the list of the server; undefined when it is not there. */
  descriptionOf(name: string): Promise<string | undefined>;
}

/** A running MCP server over HTTP with a console, tools of a folder and of another MCP server. */
export interface RealServer {
  readonly kernel: Kernel;
  /** Address of the console. */
  readonly address: string;
  /** The code that it printed at start. */
  readonly code: string;
  /** Returns another code, as `toolkit console login` prints it. */
  newCode(): Promise<string>;
  readonly model: ModelClient;
  /** Lets the running calls of `desk_wait` end. */
  release(): void;
  /** Has the other MCP server change a thing of its lists, and announce it: see `fixtures/servers/upstreams/hostile-lists.mjs`. */
  changeUpstream(kind: string): Promise<void>;
  close(): Promise<void>;
}

export interface RealServerOptions {
  /** Time for which a call that is held waits for a decision, in milliseconds. @default 240000 */
  readonly waitMs?: number;
}

/** Starts the server. Call it in `before`, and its `close` in `after`. The page is that of the build. */
export async function startRealServer({ waitMs = 240_000 }: RealServerOptions = {}): Promise<RealServer> {
  const [cwd, signalFolder] = await foldersForFile(() => Promise.all([temporaryFolder(toolFiles), temporaryFolder({ signal: '' })]));
  const signal = path.join(signalFolder, 'signal');
  const gates = new Set<() => void>();
  const kernel = await createKernel({
    cwd,
    logger: memoryLogger(),
    plugins: [
      standard({ includeCore: false, autoDiscover: false, toolPaths: ['tools'] }),
      approvalGate({ mode: 'elicit' }),
      approvals({ waitMs }),
      auditTrail({ path: 'trail/' }),
      new RecordingTracer().plugin(),
      desk(gates),
      upstreams({
        servers: { shop: { command: process.execPath, args: [changingServer, 'changes', signal], pin: 'first-use', gate: 'none' } },
      }),
      mcp({ transport: 'http', port: 0, mcpToken: token }),
      consolePlugin(),
    ],
  });
  const { url, code } = await serve(kernel);
  const client = new Client({ name: 'assistant', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as Parameters<Client['connect']>[0]);
  return {
    kernel,
    code,
    address: new URL('/console', url).href,
    model: modelOf(client),
    newCode: async () => {
      const [login] = kernel.facts(consoleLogin);
      if (login === undefined) throw new Error('The server has no console.');
      return login.value.createCode();
    },
    release: () => {
      for (const open of gates) open();
      gates.clear();
    },
    changeUpstream: (kind) => writeFile(signal, kind),
    close: async () => {
      await client.close();
      await kernel.close();
    },
  };
}

/** A plugin with a tool that runs until the test lets it end. */
function desk(gates: Set<() => void>) {
  return definePlugin({
    name: 'desk',
    apiVersion,
    apply({ hooks }) {
      const handler = async ({ note }: { readonly note: string }): Promise<object> => {
        await new Promise<void>((resolve) => gates.add(resolve));
        return { noted: note };
      };
      hooks.discover.tap('desk', (sink) => {
        const parameters = { note: { type: 'string', required: true } };
        const execution = { type: 'function', handler };
        sink.addTool({ name: 'desk_wait', description: 'Waits for the desk.', parameters, execution, risk: 'low' }, { trust: 'operator' });
      });
    },
  })();
}

/** Serves, and takes the code from what is printed past the log. */
async function serve(kernel: Kernel): Promise<{ readonly url: string; readonly code: string }> {
  let printed = '';
  const stderr = sinon.stub(process.stderr, 'write').callsFake((chunk) => {
    printed += String(chunk);
    return true;
  });
  const [running] = await kernel.serve().finally(() => stderr.restore());
  const [, code] = /Code: (\S+)/.exec(printed) ?? [];
  if (running?.url === undefined || code === undefined) throw new Error(`The server printed no code:\n${printed}`);
  return { url: running.url, code };
}

function modelOf(client: Client): ModelClient {
  return {
    call: async (name, parameters) => {
      const result = await client.callTool({ name, arguments: parameters }, undefined, { timeout: 1_800_000 });
      const text = (result.content as readonly { readonly text?: string }[]).map((part) => part.text ?? '').join('');
      return result.isError === true ? `error: ${text}` : text;
    },
    descriptionOf: async (name) => (await client.listTools()).tools.find((tool) => tool.name === name)?.description,
  };
}
