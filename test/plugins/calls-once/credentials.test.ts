import { expect } from 'chai';
import { json } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { packAgainst } from '../../tools/packs.ts';

describe('a lost call with credentials of its own', () => {
  const given = { owner: 'octo-org', repo: 'hello-world', title: 'Login fails' };
  const credentials = { GITHUB_TOKEN: 'ghp_of_somebody_else' };

  /** A service that loses the answer to what it is sent, and has nothing for who asks. */
  const lost = async (first: object) => {
    const { toolkit, requests } = await packAgainst('github', ({ method }, response) =>
      method === 'GET' ? json(response, []) : void response.destroy(),
    );
    const again = (more: object) => toolkit.execute('github_create_issue', given, { once: 'a', ...more });
    await rejection(again(first), 'UPSTREAM_UNAVAILABLE');
    return { again, requests };
  };

  for (const [what, first, then, says] of [
    ['with them, for whom nobody can ask', { credentials }, { credentials }, 'the credentials that it brings'],
    ['without them', { credentials }, {}, 'credentials of its own'],
    ['with them, where it had none', {}, { credentials }, 'credentials of its own'],
  ] as const)
    it(`stays unknown when it is made again ${what}`, async () => {
      const { again, requests } = await lost(first);
      expect((await rejection(again(then), 'OUTCOME_UNKNOWN')).message).to.include(says);
      expect(requests.map(({ method }) => method)).to.deep.equal(['POST']);
    });
});
