import { expect } from 'chai';
import { loopback } from '../../support/loopback.ts';
import { accountSite, holder } from './account-site.ts';

describe('a logout where the provider revokes as GitHub does', () => {
  const answers = [
    { title: 'revokes the token', status: 204, revocation: 'revoked' },
    { title: 'counts a token that is not found as revoked', status: 404, revocation: 'revoked' },
    { title: 'removes the account where the provider fails, and says so', status: 500, revocation: 'failed' },
  ] as const;
  for (const { title, status, revocation } of answers)
    it(title, async () => {
      const { url, requests } = await loopback((_request, response) => response.writeHead(status).end());
      const oauth2 = { revoke_url: `${url}/applications/{client_id}/token`, revoke_method: 'delete' };
      const site = await accountSite({ oauth2 });
      await site.login();
      const owner = await site.accounts.ownerOf(holder);
      const token = (await site.accounts.grants.find(owner))?.tokens.accessToken;
      expect((await site.accounts.logout(owner))?.revocation).to.equal(revocation);
      expect(requests.map(({ method, url: path, body }) => [method, path, body])).to.deep.equal([
        ['DELETE', '/applications/toolkit/token', JSON.stringify({ access_token: token })],
      ]);
      expect(requests[0]?.headers.authorization).to.equal(`Basic ${Buffer.from('toolkit:toolkit-secret').toString('base64')}`);
      expect(await site.accounts.grants.find(owner)).to.equal(undefined);
    });
});
