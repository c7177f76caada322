import { expect } from 'chai';
import { callerIssuer } from '../../../../../plugins/mcp/transports/http/authorization/caller-name.ts';
import { type ProviderServer, providerServer } from '../../../../support/oauth/provider-server.ts';
import { Browser, type Visit } from '../browser.ts';
import { type ConnectSite, connectSite, type SiteOptions } from '../connect-site.ts';

export const ada = 'ada@shop.example';
export const eve = 'eve@shop.example';

/** The clients of the server at its issuer, and of another program there. */
export const signInClients = ['toolkit-server', 'other-program'].map((id) => ({
  client_id: id,
  client_secret: `${id}-secret`,
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/accounts/sign-in'],
}));

/** A server whose callers its issuer names, and the link of the caller that is Ada. */
export interface SignInSite {
  readonly site: ConnectSite;
  readonly issuer: ProviderServer;
  readonly browser: Browser;
  readonly link: string;
  readonly caller: string;
}

export async function signInSite(options: SiteOptions = {}): Promise<SignInSite> {
  const issuer = await providerServer({ person: ada, configuration: { clients: signInClients } });
  const callers = callerIssuer(issuer.issuer);
  const site = await connectSite({
    hasSeveralCallers: true,
    issuers: [callers],
    signIn: { clientId: 'toolkit-server', clientSecret: 'toolkit-server-secret' },
    ...options,
  });
  const caller = callers.callerOf(ada);
  const link = String(await site.connect.link({ tenant: 'shop', caller, provider: 'mail' }, ['read']));
  return { site, issuer, browser: new Browser(site), link, caller };
}

/** Signs in at the issuer as its person, and follows to the answer of this server. */
export async function signIn({ issuer, browser, link }: SignInSite): Promise<Visit> {
  return browser.open((await issuer.authorize(await browser.goOn(link))).href);
}

/** Fails when an account was connected, or anything of a login is in the log, the store or an answer. */
export async function expectNothing({ site, browser, link }: SignInSite, answers: readonly Visit[]): Promise<void> {
  expect(site.provider.saved).to.deep.equal([]);
  const kept = JSON.stringify(await site.state.list(''));
  for (const secret of [link.split('/').at(-1) ?? '', 'toolkit-server-secret', ...browser.cookies.values()]) {
    expect(kept, 'store').to.not.contain(secret);
    expect(site.logged.join('\n'), 'log').to.not.contain(secret);
  }
  for (const { text } of answers) expect(text).to.not.match(/eyJ[\w-]{8}/);
}
