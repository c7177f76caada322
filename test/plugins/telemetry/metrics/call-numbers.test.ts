import { expect } from 'chai';
import type { Registry, ToolkitError } from '../../../../kernel/index.ts';
import { CallNumbers } from '../../../../plugins/telemetry/metrics/call-numbers.ts';

type Ended = Parameters<CallNumbers['record']>[0];

type Tools = Pick<Registry, 'tools' | 'companions'>;

const tools = (...names: readonly string[]): Tools['tools'] => new Map(names.map((name) => [name, {} as never]));

const withTools = (...names: readonly string[]): Tools => ({ tools: tools(...names), companions: tools() });

const completed = (toolName: string, durationMs = 1): Ended => ({
  toolName,
  durationMs,
  outcome: { type: 'completed', result: {} as never },
});

const failed = (toolName: string, code: string): Ended => ({
  toolName,
  durationMs: 1,
  outcome: { type: 'failed', error: { code } as ToolkitError },
});

/** The series of the two counters, and of the histogram by their count. */
const shown = (numbers: CallNumbers): readonly string[] => [
  ...numbers.families.flatMap(({ rows }) => rows.map(({ labels, value }) => `${labels.join(' ')} ${value}`)),
  ...numbers.durations.rows.map(({ labels, count }) => `${labels.join(' ')} ${count}`),
];

describe('the numbers of calls', () => {
  it('are counted by tool, outcome and code', () => {
    const numbers = new CallNumbers({ registry: () => registry });
    const registry = withTools('pay', 'read');
    for (const end of [completed('pay'), completed('pay'), failed('pay', 'TIMEOUT'), failed('read', 'ABORTED')]) numbers.record(end);
    expect(shown(numbers)).to.deep.equal([
      'pay completed 2',
      'pay failed 1',
      'read completed 0',
      'read failed 1',
      'pay TIMEOUT 1',
      'read ABORTED 1',
      'pay 3',
      'read 1',
    ]);
    expect([...numbers.dropped.values()]).to.deep.equal([0, 0, 0]);
  });

  it('have no more series after 100,000 invented names and codes than after the first', () => {
    const registry = withTools('pay');
    const numbers = new CallNumbers({ registry: () => registry });
    numbers.record(failed('made_up', 'TOOL_NOT_FOUND'));
    numbers.record(failed('made_up', 'MADE_UP'));
    const first = shown(numbers).length;
    for (let call = 0; call < 50_000; call++) numbers.record(failed(`made_up_${call}`, 'TOOL_NOT_FOUND'));
    for (let call = 0; call < 50_000; call++) numbers.record(failed(`made_up_${call}`, `MADE_UP_${call}`));
    expect(shown(numbers)).to.have.lengthOf(first).and.include('_OTHER TOOL_NOT_FOUND 50001').and.include('_OTHER _OTHER 50001');
    expect([...numbers.dropped.values()]).to.deep.equal([0, 0, 0]);
  });

  const bounds: readonly (readonly [durationMs: number, bucket: number | undefined])[] = [
    [0, 0],
    [10, 0],
    [10.1, 1],
    [500, 5],
    [300_000, 13],
    [300_001, undefined],
  ];
  for (const [durationMs, bucket] of bounds)
    it(`put a call of ${durationMs} ms ${bucket === undefined ? 'above all bounds' : `in bucket ${bucket}`}`, () => {
      const registry = withTools('pay');
      const numbers = new CallNumbers({ registry: () => registry });
      numbers.record(completed('pay', durationMs));
      const [row] = numbers.durations.rows;
      expect(row).to.include({ count: 1, sumSeconds: durationMs / 1000 });
      expect(row?.counts).to.deep.equal(numbers.durations.boundsSeconds.map((_, index) => (index === bucket ? 1 : 0)));
    });

  it('of tools beyond the limit of a family are those of _OTHER, and are counted as dropped', () => {
    const registry = withTools('a', 'b', 'c');
    // Room for two tools and _OTHER in the counters, for one and _OTHER in the histogram.
    const numbers = new CallNumbers({ registry: () => registry, max: 5 });
    for (const name of ['a', 'b', 'c', 'c']) numbers.record(completed(name));
    expect(shown(numbers)).to.deep.equal(['a completed 1', 'a failed 0', 'b completed 1', 'b failed 0', '_OTHER _OTHER 2', '_OTHER 4']);
    expect([...numbers.dropped]).to.deep.equal([
      ['toolkit_calls_total', 2],
      ['toolkit_call_errors_total', 0],
      ['toolkit_call_duration_seconds', 4],
    ]);
  });

  it('of a tool end with the tool, and leave their room to others', () => {
    let registry = withTools('a', 'b', 'c');
    const numbers = new CallNumbers({ registry: () => registry, max: 5 });
    for (const name of ['a', 'b', 'c']) numbers.record(completed(name));
    registry = withTools('b', 'c');
    for (const name of ['b', 'c', 'a']) numbers.record(completed(name));
    const counters = ['b completed 2', 'b failed 0', '_OTHER _OTHER 2', 'c completed 1', 'c failed 0'];
    expect(shown(numbers).slice(0, counters.length)).to.deep.equal(counters);
  });

  it('have the tools that go with the results of others', () => {
    const registry: Tools = { tools: tools(), companions: tools('get_output') };
    const numbers = new CallNumbers({ registry: () => registry });
    numbers.record(completed('get_output'));
    expect(shown(numbers)).to.include('get_output completed 1');
  });
});
