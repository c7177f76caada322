/** Spans of the built program for clients of both eras over both transports, as a collector gets them. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { type OtlpCollector, openOtlpCollector } from '../support/telemetry/otlp-collector.ts';
import type { Era, TracedClient, TransportName } from './telemetry/client.ts';
import { deviationsOf } from './telemetry/conventions.ts';
import { blockOf, type Run } from './telemetry/golden-text.ts';
import { plant, secrets, texts } from './telemetry/planted.ts';
import { scenarios } from './telemetry/scenarios.ts';
import { treeOf } from './telemetry/span-tree.ts';
import { clientSpanId, token, traceIdOf, World } from './telemetry/world.ts';

const goldenFile = path.resolve('test/suites/telemetry/spans.golden.txt');

const eras: readonly Era[] = ['2025-11-25', '2026-07-28'];
const transports: readonly TransportName[] = ['stdio', 'HTTP'];
const variants = eras.flatMap((era) => transports.map((transport) => ({ era, transport, name: `${era} ${transport}` })));

/** Characters of arguments and results in the spans of one server. */
const contentCharacters = 40;

describe('spans of MCP requests', function () {
  this.timeout(600_000);

  let collector: OtlpCollector;
  /** Gets the spans of a server with arguments and results. */
  let withContent: OtlpCollector;
  /** Session ids by variant. */
  const sessions = new Map<string, string>();

  before(async () => {
    withContent = await openOtlpCollector();
    const world = await World.open(secrets);
    ({ collector } = world);
    const content = { ...withContent.env, CONTENT: String(contentCharacters) };
    const [last, ...clients] = await Promise.all([
      world.connect('2026-07-28', 'stdio', content),
      ...variants.map(({ era, transport }) => world.connect(era, transport)),
    ]);
    for (const [index, { era, name: variant }] of variants.entries()) {
      const client = clients[index] as TracedClient;
      if (client.sessionId !== undefined) sessions.set(variant, client.sessionId);
      for (const { name, eras: own = eras, run } of scenarios)
        if (own.includes(era)) {
          client.traceparent = `00-${traceIdOf(variant, name)}-${clientSpanId}-01`;
          await run(client, world.service);
        }
      client.traceparent = '';
      await plant(client);
    }
    await plant(last);
    await world.close();
    await withContent.close();
  });

  it('are those of the golden file, in both eras and over both transports', async () => {
    const runsOf = (name: string, own: readonly Era[]): readonly Run[] =>
      variants
        .filter(({ era }) => own.includes(era))
        .map(({ name: variant }) => {
          const trace = traceIdOf(variant, name);
          const spans = collector.spans.filter(({ traceId }) => traceId === trace);
          return { variant, tree: treeOf(spans, hashOf(sessions.get(variant))) };
        });
    const names = variants.map(({ name }) => name);
    const text = scenarios.map(({ name, eras: own = eras }) => blockOf(name, runsOf(name, own), names)).join('\n');
    if (process.env['UPDATE_SNAPSHOTS'] === '1') await writeFile(goldenFile, text);
    expect(text, `differs from ${goldenFile}; UPDATE_SNAPSHOTS=1 writes it anew`).to.equal(await readFile(goldenFile, 'utf8'));
  });

  it('have names and attributes of the semantic conventions', () => {
    expect(collector.spans).to.not.be.empty;
    const deviations = [...collector.spans, ...withContent.spans].flatMap(deviationsOf);
    expect([...new Set(deviations)]).to.deep.equal([]);
  });

  it('have no secret, no argument and no result', () => {
    expect(collector.holds('shop_tell_secret')).to.equal(true);
    const results = ['Hello.', 'No such shop.', 'No refund.', 'Write a letter.', '"order"', '"rows"'];
    const forbidden = [...Object.values(secrets), ...Object.values(texts), ...sessions.values(), token, ...results];
    expect(sessions.size).to.equal(1);
    expect(forbidden.filter((text) => collector.holds(text))).to.deep.equal([]);
  });

  it('have arguments and results where that is switched on, cut and without a secret', () => {
    const contents = withContent.spans.flatMap(({ name, attributes }) => {
      const { 'gen_ai.tool.call.arguments': parameters, 'gen_ai.tool.call.result': result } = attributes;
      return parameters === undefined ? [] : [[name, parameters, result]];
    });
    const echo = '{"target":"/secret?key=[secret SHOP_KEY…';
    expect(echo).to.have.length(contentCharacters);
    expect(contents).to.deep.equal([
      ['tools/call shop_tell_secret', '{"text":"planted-argument"}', echo],
      ['tools/call shop_tell_secret', '{"text":"[secret SHOP_TOKEN] [secret SH…', echo],
      ['tools/call shop_throw', '{"text":"planted-message"}', undefined],
      ['tools/call shop_throw', '{"text":"[secret SHOP_TOKEN]"}', undefined],
      ['tools/call shop_find_later', '{"id":"planted-order"}', '{"order":"planted-order"}'],
    ]);
    expect([...Object.values(secrets), token].filter((text) => withContent.holds(text))).to.deep.equal([]);
  });
});

function hashOf(session: string | undefined): string | undefined {
  return session === undefined ? undefined : createHash('sha256').update(session).digest('hex').slice(0, 16);
}
