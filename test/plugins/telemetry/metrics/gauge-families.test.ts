import { expect } from 'chai';
import sinon from 'sinon';
import type { Gauge } from '../../../../kernel/index.ts';
import { GaugeFamilies } from '../../../../plugins/telemetry/metrics/gauge-families.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

const gauge = (name: string, read: Gauge['read'], more: Partial<Gauge> = {}): Gauge => ({
  name,
  description: `number of ${name}`,
  unit: '1',
  read,
  ...more,
});

function opened(...gauges: readonly Gauge[]) {
  const logger = memoryLogger();
  const mask = <T>(value: T): T => (typeof value === 'string' ? value.replaceAll('hunter2', '***') : value) as T;
  const families = new GaugeFamilies({ gauges: () => gauges, logger, mask, reserved: new Set(['toolkit_calls_total']) });
  const shown = async (): Promise<readonly string[]> =>
    (await families.read()).flatMap(({ name, rows }) => rows.map(({ labels, value }) => [name, ...labels, value].join(' ')));
  return { families, shown, warnings: () => logger.records.map(({ message }) => message) };
}

describe('the gauges of plugins', () => {
  it('are read into families with their kind, help and labels', async () => {
    const read = () => [
      { labels: { state: 'open' }, value: 2 },
      { labels: { state: 'half_open' }, value: 0 },
    ];
    const { families } = opened(
      gauge('circuits', read, { labels: ['state'] }),
      gauge('reads', async () => 1500, { kind: 'counter', unit: 'ms' }),
    );
    expect(await families.read()).to.deep.equal([
      {
        name: 'toolkit_circuits',
        help: 'number of circuits',
        kind: 'gauge',
        labels: ['state'],
        rows: [
          { labels: ['open'], value: 2 },
          { labels: ['half_open'], value: 0 },
        ],
      },
      { name: 'toolkit_reads_seconds_total', help: 'number of reads', kind: 'counter', labels: [], rows: [{ labels: [], value: 1.5 }] },
    ]);
  });

  it('are absent where the number cannot be known, without a word', async () => {
    const { shown, warnings } = opened(
      gauge('a', () => undefined),
      gauge('b', async () => undefined),
      gauge('c', () => 1),
    );
    expect(await shown()).to.deep.equal(['toolkit_c 1']);
    expect(warnings()).to.deep.equal([]);
  });

  const failures: Readonly<Record<string, Gauge['read']>> = {
    throws: () => {
      throw new Error('no database');
    },
    rejects: () => Promise.reject(new Error('no database')),
    'gives no number': () => Number.NaN,
    'gives what is no number in a row': () => [{ labels: {}, value: 'a' as unknown as number }],
    'gives nothing that has rows': () => ({}) as never,
    'gives a row without labels': () => [{ value: 1 } as never],
  };
  for (const [what, read] of Object.entries(failures))
    it(`are shown without one that ${what}, which is logged once until it works again`, async () => {
      const fails = sinon.stub<[], ReturnType<Gauge['read']>>().callsFake(read);
      const { shown, warnings } = opened(
        gauge('a', fails),
        gauge('b', () => 1),
      );
      for (let round = 0; round < 3; round++) expect(await shown()).to.deep.equal(['toolkit_b 1']);
      expect(warnings()).to.have.lengthOf(1);
      expect(warnings()[0]).to.match(/^the number "a" cannot be read and is left out: /);
      fails.returns(5);
      expect(await shown()).to.deep.equal(['toolkit_a 5', 'toolkit_b 1']);
      fails.callsFake(read);
      await shown();
      expect(warnings()).to.have.lengthOf(2);
    });

  it('have no secret in a label, and at most 100 characters', async () => {
    const read = () => [
      { labels: { source: 'of hunter2', state: 'a'.repeat(99) }, value: 1 },
      { labels: { source: `${'b'.repeat(98)}hunter2`, state: 'x' }, value: 1 },
      { labels: { source: 'c\nd', surplus: 'left out' }, value: 1 },
    ];
    const { shown } = opened(gauge('sources', read, { labels: ['source', 'state'] }));
    expect(await shown()).to.deep.equal([
      `toolkit_sources of *** ${'a'.repeat(99)} 1`,
      `toolkit_sources ${'b'.repeat(98)}*… x 1`,
      'toolkit_sources c d  1',
    ]);
  });

  it('are as many series as a family may have, the rest together', async () => {
    const read = () => Array.from({ length: 2500 }, (_, index) => ({ labels: { source: `s${index}` }, value: 1 }));
    const { families, shown } = opened(gauge('sources', read, { labels: ['source'] }));
    const all = await shown();
    expect(all).to.have.lengthOf(2000).and.include('toolkit_sources _OTHER 501');
    expect([...families.dropped]).to.deep.equal([['toolkit_sources', 501]]);
  });

  it('have no secret in the log either, also where a long reason is cut', async () => {
    const { shown, warnings } = opened(gauge('a', () => Promise.reject(new Error(`${'x'.repeat(195)}hunter2`))));
    await shown();
    expect(warnings()[0]).to.match(/x{195}\*\*\*$/);
  });

  it('are left out with a name that another number has, or with labels that cannot be shown, and are logged once', async () => {
    const { shown, warnings } = opened(
      gauge('a.b', () => 1),
      gauge('a_b', () => 2),
      gauge('calls', () => 3, { kind: 'counter' }),
      gauge('d', () => [], { labels: ['le'] }),
    );
    for (let round = 0; round < 2; round++) expect(await shown()).to.deep.equal(['toolkit_a_b 1']);
    expect(warnings().map((warning) => warning.slice(0, 60))).to.deep.equal([
      'the number "a_b" is left out: "toolkit_a_b" is the name of a',
      'the number "calls" is left out: "toolkit_calls_total" is the',
      'the number "d" is left out: its labels are invalid; expected',
    ]);
  });
});
