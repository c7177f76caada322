import { expect } from 'chai';
import type { TokenSet } from '../../../../plugins/shared/oauth/types.ts';
import { Random } from '../../../support/random.ts';
import { ada, keys, newGrant, open, tokenSet } from './grant-samples.ts';

const expiries = 200;
const callsPerExpiry = 10;
const lifetimeMs = 1_800_000;

describe('grants with clocks that are apart', () => {
  for (const { title, jumpMs, maxRefusals } of [
    { title: 'the same', jumpMs: () => 0, maxRefusals: 0 },
    { title: 'of which one jumps up to an hour', jumpMs: (random: Random) => random.between(-3_600_000, 3_600_000), maxRefusals: expiries },
  ])
    it(`fail none of ${expiries * callsPerExpiry} calls over ${expiries} expiries, with clocks ${title}`, async () => {
      const random = new Random(50);
      const clocks = { client: 0, server: 0 };
      let count = 0;
      let endsAt = 0;
      const issue = (): TokenSet => {
        endsAt = clocks.server + lifetimeMs;
        count++;
        return tokenSet({ accessToken: `access ${count}`, refreshToken: `refresh ${count}`, receivedAt: clocks.client, lifetimeMs });
      };
      const isAccepted = (token: string | undefined): boolean => token === `access ${count}` && clocks.server < endsAt;
      const { grants } = open({
        folder: '/nowhere',
        keys: { ...keys, isPersistent: false },
        now: () => clocks.client,
        refresh: async ({ tokens }) => {
          expect(tokens.refreshToken).to.equal(`refresh ${count}`);
          return issue();
        },
      });
      await grants.save({ ...newGrant(ada), tokens: issue() });
      let refusals = 0;
      let failures = 0;
      const call = async (): Promise<void> => {
        const options = { marginMs: 60_000, signal: new AbortController().signal };
        const first = (await grants.live(ada, options))?.tokens.accessToken;
        if (isAccepted(first)) return;
        refusals++;
        const second = (await grants.live(ada, { ...options, ...(first === undefined ? {} : { refused: first }) }))?.tokens.accessToken;
        if (!isAccepted(second)) failures++;
      };
      for (let expiry = 0; expiry < expiries; expiry++) {
        clocks.client += jumpMs(random);
        for (let index = 0; index < callsPerExpiry; index++) {
          await call();
          clocks.server += lifetimeMs / callsPerExpiry;
          clocks.client += lifetimeMs / callsPerExpiry;
        }
      }
      expect(failures).to.equal(0);
      expect(refusals).to.be.at.most(maxRefusals);
      expect(count).to.be.at.least(expiries);
    });
});
