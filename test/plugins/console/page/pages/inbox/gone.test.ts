import { expect } from 'chai';
import { goneWith, nextWaiting, stillListed } from '../../../../../../plugins/console/page/pages/inbox/gone.ts';

const waiting = (id: string) => ({ id, status: 'waiting' }) as const;
const approved = (id: string) => ({ id, status: 'approved' }) as const;

describe('the list of the inbox after a decision', () => {
  it('has no more what was decided, also where a reading still has it as waiting, and has what needs another approver', () => {
    const gone = goneWith(new Set(['x']), [approved('a'), waiting('b')]);
    const left = ['a', 'b', 'c', 'x'].map(waiting).filter((record) => stillListed(record, 'waiting', gone));
    expect(left.map(({ id }) => id)).to.deep.equal(['b', 'c']);
    expect(stillListed(approved('a'), undefined, gone)).to.equal(true);
  });

  it('has nothing decided while the list of all is still that of those that wait', () => {
    expect(stillListed(approved('a'), 'waiting', new Set())).to.equal(false);
  });

  const rows = [waiting('a'), approved('b'), waiting('c'), approved('d'), waiting('e')];
  const cases: readonly (readonly [
    title: string,
    current: string | undefined,
    lastIndex: number,
    decided: string[],
    next: string | undefined,
  ])[] = [
    ['the next one below that waits', 'a', 0, ['a'], 'c'],
    ['the nearest one above, behind the last one', 'e', 4, ['e'], 'c'],
    ['the one in its place, when it has left the list already', 'gone', 2, ['gone'], 'c'],
    ['nothing, when nothing else waits', 'a', 0, ['a', 'c', 'e'], undefined],
    ['the first one, when none is open', undefined, 0, [], 'a'],
  ];
  for (const [title, current, lastIndex, decided, next] of cases)
    it(`goes on with ${title}`, () => expect(nextWaiting(rows, current, lastIndex, new Set(decided))).to.equal(next));
});
