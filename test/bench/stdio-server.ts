import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Figure, percentile } from './figures.ts';

const rounds = 9;
const callsPerRound = 2000;
const servers = {
  bare: [path.resolve('test/bench/bare-server.mjs')],
  toolkit: [path.resolve('dist/plugins/toolkit/main.js'), 'mcp'],
};

/** Start to the answer of tools/list, and calls per second, over stdio; toolkit and the bare SDK in turns. */
export async function stdioServer(): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-bench-'));
  const starts = { bare: [] as number[], toolkit: [] as number[] };
  const rates = { bare: [] as number[], toolkit: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['bare', 'toolkit'] as const) {
      const { startMs, callsPerSecond } = await measure(servers[name], folder);
      starts[name].push(startMs);
      rates[name].push(callsPerSecond);
    }
  }
  await rm(folder, { recursive: true });
  const median = (samples: readonly number[]) => percentile(samples, 0.5);
  const ratio = (samples: { bare: number[]; toolkit: number[] }) => (median(samples.toolkit) / median(samples.bare)).toFixed(2);
  return [
    {
      what: 'start of toolkit mcp to tools/list',
      value: `${median(starts.toolkit).toFixed(0)} ms = ${ratio(starts)} × bare (${median(starts.bare).toFixed(0)} ms)`,
      budget: '1.3 × bare',
    },
    {
      what: 'tools/call over stdio',
      value: `${median(rates.toolkit).toFixed(0)}/s = ${ratio(rates)} × bare (${median(rates.bare).toFixed(0)}/s)`,
      budget: '0.9 × bare',
    },
  ];
}

async function measure(args: readonly string[], folder: string): Promise<{ startMs: number; callsPerSecond: number }> {
  const startedAt = performance.now();
  const env = { PATH: process.env['PATH'] ?? '', TOOLKIT_CWD: folder };
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'ignore' });
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transport);
  // Past the client's own listTools, which compiles every output schema before it returns.
  await client.request({ method: 'tools/list' }, ResultSchema);
  const startMs = performance.now() - startedAt;
  const call = () => client.callTool({ name: 'crypto_hash', arguments: { text: 'hello' } });
  for (let warmUp = 0; warmUp < 200; warmUp++) await call();
  const callsAt = performance.now();
  for (let done = 0; done < callsPerRound; done += 20) await Promise.all(Array.from({ length: 20 }, call));
  const callsPerSecond = callsPerRound / ((performance.now() - callsAt) / 1000);
  await client.close();
  return { startMs, callsPerSecond };
}
