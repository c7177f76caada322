import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { CollectedSpan } from '../support/telemetry/otlp-spans.ts';
import type { Era, TransportName } from './telemetry/client.ts';
import { blockOf, type Run } from './telemetry/golden-text.ts';
import { scenarios } from './telemetry/scenarios.ts';
import { treeOf } from './telemetry/span-tree.ts';
import { clientSpanId, traceIdOf, World } from './telemetry/world.ts';

const goldenFile = path.resolve('test/suites/telemetry/spans.golden.txt');

const eras: readonly Era[] = ['2025-11-25', '2026-07-28'];
const transports: readonly TransportName[] = ['stdio', 'HTTP'];
const variants = eras.flatMap((era) => transports.map((transport) => ({ era, transport, name: `${era} ${transport}` })));
const names = variants.map(({ name }) => name);

describe('spans of MCP requests', function () {
  this.timeout(600_000);

  let spans: readonly CollectedSpan[] = [];
  const hashes = new Map<string, string>();

  before(async () => {
    const world = await World.open();
    for (const { era, transport, name: variant } of variants) {
      const client = await world.connect(era, transport);
      for (const { name, eras: own = eras, run } of scenarios)
        if (own.includes(era)) {
          client.traceparent = `00-${traceIdOf(variant, name)}-${clientSpanId}-01`;
          await run(client, world.service);
        }
      if (client.sessionId !== undefined) hashes.set(variant, createHash('sha256').update(client.sessionId).digest('hex').slice(0, 16));
    }
    await world.close();
    spans = world.collector.spans;
  });

  it('are those of the golden file, in both eras and over both transports', async () => {
    const blocks = scenarios.map(({ name, eras: own = eras }) => {
      const runs = variants
        .filter(({ era }) => own.includes(era))
        .map(({ name: variant }): Run => {
          const trace = traceIdOf(variant, name);
          return {
            variant,
            tree: treeOf(
              spans.filter(({ traceId }) => traceId === trace),
              hashes.get(variant),
            ),
          };
        });
      return blockOf(name, runs, names);
    });
    const text = blocks.join('\n');
    if (process.env['UPDATE_SNAPSHOTS'] === '1') await writeFile(goldenFile, text);
    expect(text, `differs from ${goldenFile}; UPDATE_SNAPSHOTS=1 writes it anew`).to.equal(await readFile(goldenFile, 'utf8'));
  });
});
