import { expect } from 'chai';
import type { ApprovalRecord } from '../../../../../../kernel/index.ts';
import { decideMany, manyResult } from '../../../../../../plugins/console/page/pages/inbox/decide-many.ts';
import { allToggled, chosenOf, movedId, type Selection, toggled } from '../../../../../../plugins/console/page/pages/inbox/selection.ts';
import { toolsOf } from '../../../../../../plugins/console/page/pages/inbox/summary.ts';
import { madeRecord } from '../../page-world.ts';

const none: Selection = new Map();
const [first, second, decided] = [madeRecord(1), madeRecord(2), madeRecord(3, { status: 'refused' })];
const idsOf = (records: readonly ApprovalRecord[]): readonly string[] => records.map(({ id }) => id);

describe('the selection in the inbox', () => {
  it('adds and removes single records', () => {
    expect([...toggled(none, first).keys()]).to.deep.equal([first.id]);
    expect(toggled(toggled(none, first), first).size).to.equal(0);
  });

  it('takes all shown records that wait, and none of them the second time', () => {
    const all = allToggled(none, [first, second, decided]);
    expect([...all.keys()]).to.deep.equal([first.id, second.id]);
    expect(allToggled(all, [first, second, decided]).size).to.equal(0);
  });

  it('covers nothing that is out of sight or decided', () => {
    const all = allToggled(none, [first, second]);
    expect(idsOf(chosenOf(all, [second]))).to.deep.equal([second.id]);
    expect(chosenOf(all, [{ ...first, status: 'approved' }])).to.deep.equal([]);
  });

  it('decides the digest that was selected, not one that came later', () => {
    const changed = { ...first, digest: 'later' };
    expect(chosenOf(toggled(none, first), [changed]).map(({ digest }) => digest)).to.deep.equal([first.digest]);
  });

  const moves: readonly (readonly [string, string | undefined, number, number, string | undefined])[] = [
    ['down', 'a', 0, 1, 'b'],
    ['up at the first one, where it stays', 'a', 0, -1, 'a'],
    ['down at the last one, where it stays', 'c', 2, 1, 'c'],
    ['down from a record that has left, to its successor', 'gone', 1, 1, 'b'],
    ['up from a record that has left, to its predecessor', 'gone', 1, -1, 'a'],
  ];
  for (const [name, current, lastIndex, step, next] of moves)
    it(`moves ${name}`, () => {
      expect(movedId(['a', 'b', 'c'], current, lastIndex, step)).to.equal(next);
    });

  it('moves nowhere in an empty list', () => {
    expect(movedId([], undefined, 0, 1)).to.equal(undefined);
  });

  it('names its tools once each', () => {
    expect(toolsOf([first, second, madeRecord(3, { tool: 'git_push' })])).to.equal('notes_append × 2, git_push');
  });
});

describe('a decision about many', () => {
  it('is sent in parts of 200, each record with its digest', async () => {
    const sizes: number[] = [];
    const records = Array.from({ length: 401 }, (_, index) => madeRecord(index));
    const post = async (_: string, body: unknown): Promise<never> => {
      const { records: part } = body as { records: readonly { id: string }[] };
      sizes.push(part.length);
      return part as never;
    };
    const answers = await decideMany({ post, get: () => Promise.reject(new Error('not read')) }, { approve: true }, records);
    expect(sizes).to.deep.equal([200, 200, 1]);
    expect(answers).to.deep.equal(records.map(({ id, digest }) => ({ id, digest })));
  });

  it('says how many were decided, and why the others were not', () => {
    expect(manyResult(true, [{ id: 'a' }, { id: 'b' }])).to.deep.equal({ text: '2 calls approved.', isWhole: true });
    const text = '1 of 2 calls refused. The others are unchanged: ann was first.';
    expect(manyResult(false, [{ id: 'a' }, { id: 'b', failure: 'ann was first.' }])).to.deep.equal({ text, isWhole: false });
    expect(manyResult(true, [{ id: 'a', failure: 'a\u202eb was first.' }]).text).to.include('a\\u202eb was first.');
  });
});
