import { expect } from 'chai';
import { callsOf } from '../../../../../../plugins/console/page/pages/approval/calls-of.ts';
import { madeCall } from '../../demo-pages.ts';

describe('the calls of an approval', () => {
  const answer = { kind: 'gate', approved: true, by: 'operator (console)' };
  const calls = [
    madeCall(0, { approvals: [{ ...answer, record: 'a-1' }] }),
    madeCall(1, { approvals: [{ ...answer, record: 'a-2' }] }),
    madeCall(2, { outcome: 'APPROVAL_REQUIRED', approval: 'a-1' }),
    madeCall(3, { outcome: 'APPROVAL_DENIED', approvals: [{ ...answer, approved: false, record: 'a-1' }] }),
    madeCall(4, { approvals: [answer] }),
  ];

  it('are those that waited as it, and those that its decision let run or refused', () => {
    expect(callsOf('a-1', { ended: calls })).to.deep.equal([calls[0], calls[2], calls[3]]);
    expect(callsOf('a-3', { ended: calls })).to.deep.equal([]);
  });
});
