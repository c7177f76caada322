import { expect } from 'chai';
import { editDistance } from '../../../../plugins/shared/search/edit-distance.ts';

describe('the mistakes between two words', () => {
  const cases = [
    { left: 'email', right: 'email', mistakes: 0 },
    { left: 'emal', right: 'email', mistakes: 1 },
    { left: 'emaill', right: 'email', mistakes: 1 },
    { left: 'emayl', right: 'email', mistakes: 1 },
    { left: 'emial', right: 'email', mistakes: 1 },
    { left: 'meial', right: 'email', mistakes: 2 },
    { left: 'calnedra', right: 'calendar', mistakes: 2 },
    { left: 'liame', right: 'email', mistakes: 4 },
    { left: '', right: 'email', mistakes: 5 },
    { left: 'email', right: '', mistakes: 5 },
  ];
  for (const { left, right, mistakes } of cases) {
    it(`are ${mistakes} between "${left}" and "${right}"`, () => {
      expect(editDistance(left, right)).to.equal(mistakes);
    });
  }
});
