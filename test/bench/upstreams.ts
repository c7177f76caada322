import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bareHttp, bareStdio, program } from './bench-folder.ts';
import { treeCpuMs } from './process-tree.ts';
import { median, type Row, ratioRow } from './rows.ts';
import { HttpProcess } from './server-process.ts';

// The built package, because that is what people run.
const { createKernel, createLogger, standard }: typeof import('@toolkit/core') = await import(
  path.resolve('dist/plugins/toolkit/index.js')
);
const { upstreams: upstreamsPlugin }: typeof import('../../plugins/upstreams/index.ts') = await import(
  path.resolve('dist/plugins/upstreams/index.js')
);

const pairs = 10;
const warmUpCalls = 1000;
const callsPerSample = 1000;

/** One call, whose answer is checked. */
type Call = (text: string) => Promise<unknown>;

interface Cost {
  /** Processor time for one call, in microseconds. */
  readonly cpu: number;
  /** Time for one call, one after the other, in microseconds. */
  readonly wall: number;
}

interface Way {
  readonly call: Call;
  /** Processor time so far, in milliseconds. */
  readonly cpuMs: () => number;
  readonly close: () => Promise<unknown>;
}

/**
 * Measures a call of a tool of an upstream beside the bare client, on the same server: in the library, with the processor time of this process,
 * and from a client over this program to the server, with that of all processes, the client's among them.
 */
export async function upstreams(): Promise<Row[]> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'toolkit-bench-'));
  const web = new HttpProcess({ args: [bareHttp], cwd }, { port: /^(\d+)$/m });
  await web.listening();
  const url = `http://127.0.0.1:${await web.port}/mcp`;
  const rows: Row[] = [];
  const library = {
    stdio: [
      { command: process.execPath, args: [bareStdio] },
      () => new StdioClientTransport({ command: process.execPath, args: [bareStdio] }),
    ],
    HTTP: [{ url }, () => new StreamableHTTPClientTransport(new URL(url))],
  } as const;
  for (const [name, [server, transport]] of Object.entries(library))
    rows.push(
      ...rowsOf(`in the library over ${name}`, 1.5, await compared(await bareClient(transport()), await throughKernel(server, cwd))),
    );
  const direct = await clientOf([bareStdio], cwd, 'crypto_hash');
  rows.push(...rowsOf('from client to server over us, over stdio', 3, await compared(direct, await throughProgram(cwd))));
  await web.end();
  await rm(cwd, { recursive: true, force: true });
  return rows;
}

function rowsOf(what: string, most: number, { bare, ours }: { readonly bare: Cost; readonly ours: Cost }): Row[] {
  const row = (kind: string, key: keyof Cost): Row =>
    ratioRow(`${kind} of a call to an upstream, ${what}`, { bare: bare[key], toolkit: ours[key], unit: 'µs', most, to: 'the client' });
  return [row('processor time', 'cpu'), row('time', 'wall')];
}

/** Medians of the pairs, each way first as often as the other. Ends both. */
async function compared(bare: Way, ours: Way): Promise<{ bare: Cost; ours: Cost }> {
  const samples: { bare: Cost[]; ours: Cost[] } = { bare: [], ours: [] };
  const ways = { bare, ours };
  for (const { call } of [bare, ours]) await costOf({ call, cpuMs: () => 0 }, warmUpCalls);
  for (let pair = 0; pair < pairs; pair++)
    for (const name of pair % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const))
      samples[name].push(await costOf(ways[name], callsPerSample));
  await bare.close();
  await ours.close();
  const middle = (costs: readonly Cost[]): Cost => ({
    cpu: median(costs.map(({ cpu }) => cpu)),
    wall: median(costs.map(({ wall }) => wall)),
  });
  return { bare: middle(samples.bare), ours: middle(samples.ours) };
}

async function costOf({ call, cpuMs }: Pick<Way, 'call' | 'cpuMs'>, calls: number): Promise<Cost> {
  const before = { cpu: cpuMs(), wall: performance.now() };
  for (let n = 0; n < calls; n++) await call(`hello ${n}`);
  return { cpu: ((cpuMs() - before.cpu) * 1000) / calls, wall: ((performance.now() - before.wall) * 1000) / calls };
}

const ownCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The official client, which knows the tools, and so checks results as well. */
async function bareClient(transport: Transport): Promise<Way> {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  await client.listTools();
  return {
    call: async (text) => expectDigest((await client.callTool({ name: 'crypto_hash', arguments: { text } })).structuredContent),
    cpuMs: ownCpuMs,
    close: () => client.close(),
  };
}

async function throughKernel(server: object, cwd: string): Promise<Way> {
  const kernel = await createKernel({
    cwd,
    logger: createLogger({ env: {}, write: () => {} }),
    plugins: [
      ...standard({ includeCore: false, autoDiscover: false }),
      upstreamsPlugin({ servers: { shop: { ...server, pin: 'off', gate: 'none', trustAnnotations: true } } }),
    ],
  });
  return {
    call: async (text) => expectDigest((await kernel.call({ tool: 'shop_crypto_hash', parameters: { text }, caller: 'bench' })).output),
    cpuMs: ownCpuMs,
    close: () => kernel.close(),
  };
}

/** The official client of a program, with the processor time of both and of all that the program starts. */
async function clientOf(args: readonly string[], cwd: string, tool: string): Promise<Way> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], cwd, stderr: 'ignore' });
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  await client.listTools();
  const { pid } = transport;
  return {
    call: async (text) => expectDigest((await client.callTool({ name: tool, arguments: { text } })).structuredContent),
    cpuMs: () => ownCpuMs() + treeCpuMs(pid ?? 0),
    close: () => client.close(),
  };
}

async function throughProgram(cwd: string): Promise<Way> {
  const server = { command: process.execPath, args: [bareStdio], pin: 'off', gate: 'none', trustAnnotations: true };
  await writeFile(
    path.join(cwd, 'toolkit.config.yaml'),
    `plugins:
  - [toolkit/standard, { includeCore: false, autoDiscover: false }]
  - [toolkit/plugins/upstreams, ${JSON.stringify({ servers: { shop: server } })}]
  - toolkit/plugins/mcp
`,
  );
  return clientOf([program, 'mcp'], cwd, 'shop_crypto_hash');
}

function expectDigest(output: unknown): void {
  const { digest } = (output ?? {}) as { readonly digest?: string };
  if (digest?.length !== 64) throw new Error(`The tool answered ${JSON.stringify(output)}.`);
}
