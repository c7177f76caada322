import { expect } from 'chai';
import { changedLines } from '../../../../../../plugins/console/page/pages/approval/changed-lines.ts';

describe('the difference to the last approved call', () => {
  it('shows the changed lines of a text with two equal lines around them', () => {
    const lines = changedLines('1\n2\n3\n4\n5\n6', '1\n2\n3\nfour\n5\n6');
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).to.deep.equal([
      'same 2',
      'same 3',
      'removed 4',
      'added four',
      'same 5',
      'same 6',
    ]);
  });

  it('shows a value that is new, and one that was removed', () => {
    expect(changedLines(undefined, 7)).to.deep.equal([{ kind: 'added', text: '7' }]);
    expect(changedLines(['a'], undefined).every(({ kind }) => kind === 'removed')).to.equal(true);
  });
});
