import { expect } from 'chai';
import { providerSettings } from '../../../../plugins/provider-settings/index.ts';
import { accountService } from '../../../../plugins/shared/oauth/account-service.ts';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import type { Attempt } from './attempt.ts';
import { byListener } from './doors.ts';
import { holder, type RefusalSite, type RefusalSiteOptions, refusalSite } from './refusal-site.ts';

/** A server that would like to have tokens. */
export interface Thief {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

export function thief(): Promise<Thief> {
  return loopback((_request, response) => json(response, { access_token: 'stolen', refresh_token: 'stolen' }));
}

/** Connects the account of the caller `default`. */
export function connected(site: RefusalSite): Promise<void> {
  return byListener(site, (address, { server }) => server.authorize(address));
}

/** Has an account refreshed, as a call does after a 401. */
export async function refresh({ kernel, accounts }: RefusalSite): Promise<unknown> {
  const [grant] = await accounts.grants.list({ provider: 'acme' });
  const [service] = kernel.facts(accountService);
  const refused = grant?.tokens.accessToken ?? '';
  return service?.value.access({ ...holder, refused, signal: new AbortController().signal });
}

type Change = (thief: Thief) => Omit<RefusalSiteOptions, 'of'>;

const moved = 'was connected with another client or other addresses than the configuration has now';

const refreshes: readonly { readonly attempt: string; readonly change: Change; readonly says: string }[] = [
  { attempt: 'a definition with another token_url', change: ({ url }) => ({ oauth2: { token_url: `${url}/token` } }), says: moved },
  {
    attempt: 'a definition with a refresh_url that was not there',
    change: ({ url }) => ({ oauth2: { refresh_url: `${url}/token` } }),
    says: moved,
  },
  {
    attempt: 'a definition with another issuer and token_url',
    change: ({ url }) => ({ oauth2: { issuer: url, token_url: `${url}/token` } }),
    says: moved,
  },
  {
    attempt: 'another client id and token_url',
    change: ({ url }) => ({ secrets: { ACME_CLIENT_ID: 'other', ACME_CLIENT_SECRET: 'x' }, oauth2: { token_url: `${url}/token` } }),
    says: moved,
  },
  {
    attempt: 'provider-settings with another token_url',
    change: ({ url }) => ({ plugins: [providerSettings({ providers: { acme: { oauth2: { token_url: `${url}/token` } } } })] }),
    says: moved,
  },
];

/** Later starts with other addresses: tokens go to the addresses of their login alone. */
export const bindingAttempts: readonly Attempt[] = [
  ...refreshes.map(({ attempt, change, says }) => ({
    attempt: `a refresh token for ${attempt}`,
    says,
    leaves: 1,
    run: async (site: RefusalSite) => {
      await connected(site);
      const stealing = await thief();
      const later = await refusalSite({ ...change(stealing), of: site });
      await later.refused(refresh(later));
      expect(stealing.requests).to.deep.equal([]);
      expect(site.server.count('refresh_token')).to.equal(0);
    },
  })),
  {
    attempt: 'tokens for a definition with another revoke_url',
    says: 'its tokens are sent nowhere else',
    run: async (site) => {
      await connected(site);
      const stealing = await thief();
      const later = await refusalSite({ oauth2: { revoke_url: `${stealing.url}/revoke` }, of: site });
      const ended = await later.accounts.logout(await later.accounts.ownerOf(holder));
      site.answers.push(String(ended?.error?.message));
      expect([stealing.requests.length, site.server.revoked.length]).to.deep.equal([0, 0]);
    },
  },
  {
    attempt: 'the refresh token of the environment for another issuer than before',
    says: 'ACME_REFRESH_TOKEN was used with other addresses',
    leaves: 1,
    run: async (site) => {
      const token = site.server.issue().refreshToken ?? '';
      const secrets = { ACME_CLIENT_ID: 'toolkit', ACME_CLIENT_SECRET: 'toolkit-secret', ACME_REFRESH_TOKEN: token };
      await refresh(await refusalSite({ secrets, of: site }));
      const stealing = await thief();
      const later = await refusalSite({ secrets, of: site, oauth2: { issuer: stealing.url, token_url: `${stealing.url}/token` } });
      await later.refused(refresh(later));
      expect(stealing.requests).to.deep.equal([]);
    },
  },
];
