import { expect } from 'chai';
import { isRequester } from '../../../plugins/approvals/folded-name.ts';

describe('the requester of a call', () => {
  const rows: readonly (readonly [caller: string, way: string, name: string, is: boolean])[] = [
    ['ann', 'console', 'ann', true],
    ['console:ann', 'console', 'ann', true],
    ['Console: Ann', 'console', 'ann', true],
    ['console:ann', 'webhook', 'ann', false],
    ['console:ann', 'console', 'bob', false],
    ['default', 'console', 'ann', false],
  ];
  for (const [caller, way, name, is] of rows)
    it(`"${caller}" is ${is ? '' : 'not '}${name} by ${way}`, () => expect(isRequester({ way, name }, { caller })).to.equal(is));
});
