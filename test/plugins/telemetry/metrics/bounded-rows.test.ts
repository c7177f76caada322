import { expect } from 'chai';
import { BoundedRows } from '../../../../plugins/telemetry/metrics/bounded-rows.ts';

const rows = (...names: readonly string[]) => names.map((name) => ({ labels: [name], value: 1 }));

const shown = (bound: BoundedRows, ...names: readonly string[]): readonly string[] =>
  bound.limit(rows(...names)).map(({ labels, value }) => `${labels[0]} ${value}`);

describe('rows that are read', () => {
  it('are all shown up to the limit, those with equal labels as one', () => {
    const bound = new BoundedRows(2);
    expect(shown(bound, 'a', 'b', 'a')).to.deep.equal(['a 2', 'b 1']);
    expect(bound.dropped).to.equal(0);
  });

  it('are added up as _OTHER beyond it, with what is _OTHER already', () => {
    const bound = new BoundedRows(3);
    expect(shown(bound, 'a', '_OTHER', 'b', 'c', 'd')).to.deep.equal(['a 1', '_OTHER 3', 'b 1']);
    expect(bound.dropped).to.equal(2);
  });

  it('stay shown while they are there, whatever comes before them', () => {
    const bound = new BoundedRows(3);
    shown(bound, 'c', 'd');
    expect(shown(bound, 'a', 'b', 'c', 'd')).to.deep.equal(['c 1', 'd 1', '_OTHER 2']);
    expect(shown(bound, 'a', 'b', 'd', 'e')).to.deep.equal(['a 1', 'd 1', '_OTHER 2']);
    expect(bound.dropped).to.equal(4);
  });
});
