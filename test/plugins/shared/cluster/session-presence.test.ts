import { expect } from 'chai';
import { SessionPresence } from '../../../../plugins/shared/cluster/session-presence.ts';

describe('the presence of processes on PostgreSQL', () => {
  const cases: readonly (readonly [silentMs: number | undefined, isStalled: boolean])[] = [
    [0, false],
    [7999, false],
    [8000, true],
    [undefined, false],
  ];
  for (const [silentMs, isStalled] of cases)
    it(`takes a process whose connection was last used ${silentMs ?? 'at an unknown time'} ms ago for one that ${isStalled ? 'stands still' : 'goes on'}`, async () => {
      const presence = new SessionPresence({
        createClient: () => {
          throw new Error('not asked');
        },
        readProcesses: async () => [],
        deleteProcess: async () => {},
        readSilence: async () => silentMs,
      });
      expect(await presence.isStalled('a')).to.equal(isStalled);
    });
});
