/**
 * The program that is attacked: kernels with a console on one store, in a child process that does what its parent orders. It is bundled, so that one
 * defence of its source can be removed.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeShelf } from '../../../../fixtures/plugins/toolkit-plugin-shelf/shelf.js';
import * as core from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../../plugins/approvals/index.ts';
import { callsOnce } from '../../../../plugins/calls-once/index.ts';
import { consoleLogin } from '../../../../plugins/console/console-fact.ts';
import { console as consolePlugin } from '../../../../plugins/console/index.ts';
import type { ConsoleOptions } from '../../../../plugins/console/options.ts';
import { type McpOptions, mcp } from '../../../../plugins/mcp/index.ts';
import { createTestKit } from '../../../../plugins/toolkit/testing/test-kit.ts';
import type { ModelOutcome, OpenedSite, ServerOrder, ServerReply, ServerSettings, SiteKind } from './server-messages.ts';

// Own text: its parent wrote it.
const settings = JSON.parse(process.argv[2] ?? '') as ServerSettings;

const { folder, tools, issuer, mcpToken } = settings;
const shelfFile = path.join(folder, 'shelf.json');
const runs = new Map<string, number>();
const kernels = new Map<SiteKind, Promise<{ readonly kernel: core.Kernel; readonly opened: OpenedSite }>>();

/** The clock of everything in this process, which the parent puts forward. */
let shiftMs = 0;
const realNow = Date.now;
Date.now = () => realNow() + shiftMs;

/** One store for all kernels, as several processes have it, whose times follow the clock of this process. */
const store = Object.defineProperty(new MemoryStore(() => Date.now()), 'isShared', { value: true });

const consoles: Readonly<Record<SiteKind, ConsoleOptions>> = {
  mcp: {},
  own: { listen: { port: 0 } },
  people: {
    openid: {
      issuer,
      clientId: 'console',
      clientSecret: 'secret-of-the-console',
      operators: { groups: ['operations'], email: ['ada@shop.example'] },
    },
  },
  proxied: {},
};

const servers: Readonly<Partial<Record<SiteKind, McpOptions>>> = {
  proxied: { resource: 'https://console.example/mcp', allowedHosts: ['console.example'] },
};

async function open(site: SiteKind): Promise<{ readonly kernel: core.Kernel; readonly opened: OpenedSite }> {
  const { kernel } = await createTestKit({
    cwd: folder,
    tools: tools.map(({ output, ...tool }) => ({ ...tool, execution: { type: 'function', handler: handlerOf(tool.name, output) } })),
    plugins: [
      core.definePlugin({ name: 'one-store', apiVersion: core.apiVersion, apply: ({ extend }) => extend.stateStore(store) })(),
      makeShelf(core)({ sources: { shelf: { document: shelfFile } } }),
      callsOnce(),
      approvalGate({ mode: 'elicit' }),
      approvals(),
      mcp({ transport: 'http', port: 0, mcpToken, ...servers[site] }),
      consolePlugin(consoles[site]),
    ],
  });
  const running = await kernel.serve();
  const [mcpPort = 0, ownPort = mcpPort] = running.map(({ url = '' }) => Number(new URL(url).port));
  return { kernel, opened: { port: ownPort, mcpPort } };
}

function handlerOf(name: string, output: unknown): (parameters: unknown) => unknown {
  return (parameters) => {
    runs.set(name, (runs.get(name) ?? 0) + 1);
    return output ?? parameters;
  };
}

function opened(site: SiteKind): ReturnType<typeof open> {
  const running = kernels.get(site) ?? open(site);
  kernels.set(site, running);
  return running;
}

async function obey(order: ServerOrder): Promise<unknown> {
  switch (order.kind) {
    case 'open':
      return (await opened(order.site)).opened;
    case 'code':
      return (await opened(order.site)).kernel.facts(consoleLogin)[0]?.value.createCode();
    case 'call':
      return call((await opened('mcp')).kernel, order.tool, order.parameters);
    case 'approval':
      return (await opened('mcp')).kernel.approvals.get(order.id);
    case 'runs':
      return runs.get(order.tool) ?? 0;
    case 'list':
      return list(order.tools);
    case 'shift':
      shiftMs += order.ms;
      return undefined;
  }
}

async function call(kernel: core.Kernel, tool: string, parameters: object): Promise<ModelOutcome> {
  try {
    return { output: await kernel.execute(tool, { ...parameters }, { origin: 'model', caller: 'agent' }) };
  } catch (error) {
    if (!core.ToolkitError.is(error)) throw error;
    const { approval } = error.details;
    return { code: error.code, ...(typeof approval === 'string' ? { approval } : {}) };
  }
}

async function list(listed: readonly object[]): Promise<readonly string[]> {
  await writeFile(shelfFile, JSON.stringify({ tools: listed }));
  const { kernel } = await opened('mcp');
  await kernel.reload();
  return kernel.sources.pending().map(({ name }) => name);
}

process.on('message', (message) => {
  const { id, order } = message as { readonly id: number; readonly order: ServerOrder };
  const reply = (answer: Omit<ServerReply, 'id'>): void => void process.send?.({ id, ...answer });
  obey(order).then(
    (value) => reply({ value }),
    (error: unknown) => reply({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
process.once('disconnect', () => process.exit());
await writeFile(shelfFile, '{}');
process.send?.({ id: 0 });
