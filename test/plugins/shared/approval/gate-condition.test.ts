import { expect } from 'chai';
import { gateCondition } from '../../../../plugins/shared/approval/gate-condition.ts';

describe('when a gate holds a call, in words', () => {
  const cases = [
    { gate: { method: ['POST', 'PUT', 'DELETE'] }, says: 'method is POST, PUT or DELETE' },
    { gate: { dry_run: false }, says: 'dry_run is false' },
    { gate: { mode: 'false' }, says: 'mode is "false"' },
    { gate: { mode: 'a, b' }, says: 'mode is "a, b"' },
    { gate: { to: [['a', 'b']] }, says: 'to is ["a","b"]' },
    { gate: { force: true, count: [1, 2] }, says: 'force is true or count is 1 or 2' },
    { gate: true, says: undefined },
    { gate: false, says: undefined },
    { gate: {}, says: undefined },
  ];
  for (const { gate, says } of cases) it(`is ${says} for ${JSON.stringify(gate)}`, () => expect(gateCondition(gate)).to.equal(says));
});
