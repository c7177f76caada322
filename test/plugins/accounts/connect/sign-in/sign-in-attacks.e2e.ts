import { expect } from 'chai';
import type { OutboundFetch } from '../../../../../kernel/index.ts';
import { createOAuthClient } from '../../../../../plugins/shared/oauth/client.ts';
import { type ProviderServer, providerServer } from '../../../../support/oauth/provider-server.ts';
import { Browser, type Visit } from '../browser.ts';
import { ada, eve, expectNothing, type SignInSite, signIn, signInClients, signInSite } from './sign-in-site.ts';

/** Changes the id_token of the next token answers. */
interface Swap {
  by: (idToken: string, nonce: string) => string | undefined | Promise<string | undefined>;
  nonce: string;
  seen: string[];
}

/** A site whose issuer's token answers an attacker changes on the way. */
async function swappedSite(): Promise<SignInSite & { readonly swap: Swap }> {
  const swap: Swap = { by: (idToken) => idToken, nonce: '', seen: [] };
  const swapping: OutboundFetch = async (url, init) => {
    const response = await fetch(url, init);
    if (!String(url).endsWith('/token')) return response;
    const answer = (await response.json()) as { id_token?: string };
    swap.seen.push(answer.id_token ?? '');
    const idToken = await swap.by(answer.id_token ?? '', swap.nonce);
    return Response.json({ ...answer, id_token: idToken }, { status: response.status });
  };
  return { ...(await signInSite({ fetch: swapping })), swap };
}

/** Signs in, and shows the attacker the nonce, as the person's browser does. */
async function signInSeen(begun: SignInSite & { readonly swap: Swap }): Promise<Visit> {
  const address = await begun.browser.goOn(begun.link);
  begun.swap.nonce = new URL(address).searchParams.get('nonce') ?? '';
  return begun.browser.open((await begun.issuer.authorize(address)).href);
}

/** Returns an id_token that the issuer gives to a client, with a nonce. */
async function idTokenOf(issuer: ProviderServer, clientId: string, nonce: string): Promise<string> {
  let idToken = '';
  const listening: OutboundFetch = async (url, init) => {
    const response = await fetch(url, init);
    idToken = ((await response.clone().json()) as { id_token?: string }).id_token ?? '';
    return response;
  };
  const settings = issuer.settings({ clientId, clientSecret: `${clientId}-secret`, authorizationParams: { nonce } });
  // The nonce is the attacker's business: this client does not check it.
  const client = createOAuthClient(settings, { fetch: listening, now: () => Date.now() });
  const request = await client.begin({ redirectUri: 'http://127.0.0.1:9/accounts/sign-in', scopes: ['openid'] });
  await client.finish(request, (await issuer.authorize(request.url)).searchParams).catch(() => undefined);
  return idToken;
}

const claimsIn = (idToken: string): Record<string, unknown> => JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
const partOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const idTokens: readonly {
  readonly does: string;
  readonly says: string;
  readonly by: (begun: SignInSite & { readonly swap: Swap }) => Swap['by'];
}[] = [
  { does: 'none', says: 'id_token&quot; property must be a string', by: () => () => undefined },
  {
    does: 'one of an earlier sign-in',
    says: 'nonce',
    by:
      ({ swap }) =>
      () =>
        swap.seen[0],
  },
  {
    does: 'one for another client',
    says: '(audience) claim',
    by:
      ({ issuer }) =>
      (_idToken, nonce) =>
        idTokenOf(issuer, 'other-program', nonce),
  },
  {
    does: 'one of another issuer',
    says: '(issuer) claim',
    by: () => async (_idToken, nonce) =>
      idTokenOf(await providerServer({ person: ada, configuration: { clients: signInClients } }), 'toolkit-server', nonce),
  },
  {
    does: 'one with a changed subject',
    says: 'signature verification failed',
    by: () => (idToken) => {
      const [header, , signature] = idToken.split('.');
      return [header, partOf({ ...claimsIn(idToken), sub: ada }), signature].join('.');
    },
  },
  {
    does: 'one without a signature',
    says: 'id_token&quot; property must be a string',
    by: () => (idToken) => `${partOf({ alg: 'none' })}.${partOf({ ...claimsIn(idToken), sub: ada })}.`,
  },
];

describe('the sign-in of a link refuses', () => {
  for (const { does, says, by } of idTokens)
    it(`an answer with ${does}`, async () => {
      const begun = await swappedSite();
      await signIn(begun);
      // Eve goes through the second sign-in, with another link of Ada.
      begun.issuer.person = eve;
      begun.swap.by = by(begun);
      const link = String(await begun.site.connect.link({ tenant: 'shop', caller: begun.caller, provider: 'mail', account: 'two' }, []));
      const attack = { ...begun, link, browser: new Browser(begun.site) };
      const page = await signInSeen(attack);
      expect(page.status, page.text).to.equal(403);
      expect(page.text).to.contain('No account was connected').and.contain(says);
      await expectNothing(attack, [page, await attack.browser.open(link)]);
    });

  it('the redirect of another issuer', async () => {
    const begun = await signInSite();
    const redirect = await begun.issuer.authorize(await begun.browser.goOn(begun.link));
    redirect.searchParams.set('iss', 'https://login.elsewhere.example');
    const page = await begun.browser.open(redirect.href);
    expect([page.status, page.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 403 && text.includes('another server answered'),
    );
    await expectNothing(begun, [page]);
  });

  it('a redirect that names no issuer, where the issuer announces it', async () => {
    const begun = await signInSite();
    const redirect = await begun.issuer.authorize(await begun.browser.goOn(begun.link));
    redirect.searchParams.delete('iss');
    const page = await begun.browser.open(redirect.href);
    expect(page.status, page.text).to.equal(403);
    await expectNothing(begun, [page]);
  });

  it('a redirect that was used, and leaves the link as it is', async () => {
    const begun = await signInSite();
    const redirect = await begun.issuer.authorize(await begun.browser.goOn(begun.link));
    expect((await begun.browser.open(redirect.href)).status).to.equal(303);
    expect((await begun.browser.open(redirect.href)).status).to.equal(400);
    expect((await begun.browser.open(begun.link)).text).to.contain('Continue to Mail');
  });

  it('the code of another sign-in', async () => {
    const begun = await signInSite();
    const address = await begun.browser.goOn(begun.link);
    const other = await begun.issuer.authorize(await begun.browser.goOn(begun.link));
    const redirect = await begun.issuer.authorize(address);
    redirect.searchParams.set('state', other.searchParams.get('state') ?? '');
    const page = await begun.browser.open(redirect.href);
    expect(page.status, page.text).to.equal(403);
    await expectNothing(begun, [page]);
  });

  it("the attacker's browser with the address of the victim's sign-in, and the other way round", async () => {
    const begun = await signInSite();
    const redirect = await begun.issuer.authorize(await begun.browser.goOn(begun.link));
    const page = await new Browser(begun.site).open(redirect.href);
    expect(page.status).to.equal(403);
    expect(page.text).to.contain('opened elsewhere');
    await expectNothing(begun, [page]);
  });

  it("the provider's redirect of a victim, whom the caller sent there after signing in", async () => {
    const begun = await signInSite();
    await signIn(begun);
    const address = await begun.browser.goOn(begun.link);
    const page = await new Browser(begun.site).open(begun.site.provider.redirectOf(address));
    expect(page.status).to.equal(403);
    expect(page.text).to.contain('opened elsewhere');
    await expectNothing(begun, [page]);
  });

  it('a redirect of the issuer at the address of the provider, and of the provider at that of the issuer', async () => {
    const begun = await signInSite();
    const { browser, issuer, site, link } = begun;
    const redirect = await issuer.authorize(await browser.goOn(link));
    expect((await browser.open(redirect.href.replace('/accounts/sign-in', '/accounts/callback'))).status).to.equal(400);
    await browser.open(redirect.href);
    const provided = site.provider.redirectOf(await browser.goOn(link));
    const page = await browser.open(provided.replace('/accounts/callback', '/accounts/sign-in'));
    expect(page.status).to.equal(400);
    await expectNothing(begun, [page]);
  });

  it('an issuer that denies the sign-in, with its reason', async () => {
    const begun = await signInSite();
    const redirect = await begun.issuer.authorize(await begun.browser.goOn(begun.link), { denies: true });
    const page = await begun.browser.open(redirect.href);
    expect(page.status).to.equal(403);
    expect(page.text).to.contain('access_denied');
    await expectNothing(begun, [page]);
  });
});
