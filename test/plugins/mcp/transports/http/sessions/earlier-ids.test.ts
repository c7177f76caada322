import { expect } from 'chai';
import { initializeRequestOf, sessionIds } from '../../../../../../plugins/mcp/transports/http/sessions/session-ids.ts';
import { HostKeys } from '../../../../../../plugins/shared/keys/host-keys.ts';
import { readEarlierStore } from '../../../../../support/earlier-store.ts';

/** Ids that earlier programs gave to a session of ada, and when, epoch ms. They are valid for a week. */
const issuedAt = 1_795_954_705_000;
const issued = {
  '5fd1ded7':
    'AYvJADHS8tcJxN2vUWhZdeoBoktKhmh7InZlcnNpb24iOiIyMDI1LTA2LTE4IiwiY2FwYWJpbGl0aWVzIjp7ImVsaWNpdGF0aW9uIjp7fX0sIm5hbWUiOiJjbGllbnQiLCJjYWxsZXIiOiJhZGEifd-Wh61z9hxbfo23xjnIaqIt37Ay3ExrW3xAoQ7F6CSX',
  fb0a35f1:
    'AUNRT8tL_iBdvr4yANOFy2oBoktKhmh7InZlcnNpb24iOiIyMDI1LTA2LTE4IiwiY2FwYWJpbGl0aWVzIjp7ImVsaWNpdGF0aW9uIjp7fX0sIm5hbWUiOiJjbGllbnQiLCJjYWxsZXIiOiJhZGEifbzDB6WQbhxYTELOK8mi4RuoutSSgcwUQRW_KXyGQQfw',
};

describe('the session of an earlier version', () => {
  for (const [commit, id] of Object.entries(issued))
    it(`is resumed by its id (${commit})`, async () => {
      const { key } = await readEarlierStore(`engine-local-${commit}`);
      const keys = new HostKeys({
        logger: { warn: () => {} },
        maskAlso: () => {},
        env: { TOOLKIT_KEY: key },
        now: () => issuedAt + 60_000,
      });
      const ids = sessionIds(keys);
      // What is remembered of ended ones is not of this test.
      const resumed = await initializeRequestOf({ ...ids, ended: { id: 'none', consume: () => undefined, has: () => false } }, id, 'ada');
      expect(resumed?.params).to.deep.include({ protocolVersion: '2025-06-18', capabilities: { elicitation: {} } });
      expect(await initializeRequestOf(ids, id, 'grace')).to.equal(undefined);
    });
});
