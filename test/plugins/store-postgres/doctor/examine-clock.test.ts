import { expect } from 'chai';
import { clockFinding } from '../../../../plugins/store-postgres/doctor/examine-clock.ts';

describe('the clock beside that of the database', () => {
  for (const { offsetMs, accuracyMs, state, says } of [
    { offsetMs: 12, accuracyMs: 1, state: 'ok', says: '0.012 s ahead of the database, give or take 0.001 s' },
    { offsetMs: -1500, accuracyMs: 1, state: 'ok', says: '1.500 s behind the database' },
    { offsetMs: 2500, accuracyMs: 600, state: 'ok', says: '2.500 s ahead of' },
    { offsetMs: 60_000, accuracyMs: 1, state: 'warning', says: '60.000 s ahead of' },
    { offsetMs: -2100, accuracyMs: 1, state: 'warning', says: '2.100 s behind' },
  ])
    it(`is ${state} at ${offsetMs} ms, known to ${accuracyMs} ms`, () => {
      const found = clockFinding(offsetMs, accuracyMs);
      expect(found.state).to.equal(state);
      expect(found.message).to.include(says);
    });
});
