import { expect } from 'chai';
import { BoundedSeries } from '../../../../plugins/telemetry/metrics/bounded-series.ts';

const series = (max: number, seriesOfSlot = 1) => new BoundedSeries({ labelCount: 2, create: () => ({ value: 0 }), max, seriesOfSlot });

const shown = (given: ReturnType<typeof series>): readonly string[] =>
  given.slots.map(({ labels, value }) => `${labels.join(' ')} ${value.value}`);

function count(given: ReturnType<typeof series>, ...labels: readonly string[]): boolean {
  const { value, isFolded } = given.take(labels);
  value.value++;
  return isFolded;
}

describe('the series of a family', () => {
  it('are as many as its limit, with that of _OTHER, which the rest share', () => {
    const given = series(3);
    expect(['a', 'b', 'c', 'd', 'a'].map((name) => count(given, name, 'x'))).to.deep.equal([false, false, true, true, false]);
    expect(shown(given)).to.deep.equal(['a x 2', 'b x 1', '_OTHER _OTHER 2']);
  });

  it('have room for _OTHER where it comes first', () => {
    const given = series(3);
    for (const name of ['_OTHER', 'a']) expect(count(given, name, name === 'a' ? 'x' : '_OTHER')).to.equal(false);
    expect(['b', 'c'].map((name) => count(given, name, 'x'))).to.deep.equal([false, true]);
    expect(shown(given)).to.deep.equal(['_OTHER _OTHER 2', 'a x 1', 'b x 1']);
  });

  it('count each series of a slot', () => {
    const given = series(35, 17);
    expect(['a', 'b', 'c'].map((name) => count(given, name, 'x'))).to.deep.equal([false, true, true]);
    expect(shown(given)).to.deep.equal(['a x 1', '_OTHER _OTHER 2']);
  });

  it('have room again for the place of those that were removed', () => {
    const given = series(2);
    count(given, 'a', 'x');
    expect(count(given, 'b', 'x')).to.equal(true);
    given.keep(([name]) => name !== 'a');
    expect(count(given, 'b', 'x')).to.equal(false);
    expect(shown(given)).to.deep.equal(['_OTHER _OTHER 1', 'b x 1']);
  });
});
