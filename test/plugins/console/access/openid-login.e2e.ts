import { expect } from 'chai';
import sinon from 'sinon';
import type { ConsoleOptions } from '../../../../plugins/console/options.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { type ProviderServer, providerServer } from '../../../support/oauth/provider-server.ts';
import { sharedState } from '../../../support/shared-state.ts';
import { type Answer, ask, type ConsoleSite, consoleSite, cookieOf, type SiteOptions, sendCode } from '../console-site.ts';

const ada = 'ada@shop.example';
const eve = 'eve@shop.example';

const secret = 'secret-of-the-console';

/** An issuer at which Ada is in operations, and Eve in sales. Everybody says an email, which nobody has verified. */
function openIssuer(person = ada): Promise<ProviderServer> {
  const groups: Readonly<Record<string, readonly string[]>> = { [ada]: ['staff', 'operations'], [eve]: ['sales'] };
  const clients = [
    {
      client_id: 'console',
      client_secret: secret,
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/console/login/callback'],
    },
  ];
  const findAccount = (_context: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, email: ada, email_verified: id === ada, groups: groups[id], role: id === ada ? 'operator' : 'guest' }),
  });
  const claims = { openid: ['sub', 'groups', 'role', 'email', 'email_verified'] };
  return providerServer({ person, configuration: { clients, claims, findAccount } });
}

interface OpenidSite extends ConsoleSite {
  readonly issuer: ProviderServer;
}

type Operators = NonNullable<ConsoleOptions['openid']>['operators'];

async function openidSite(operators: Operators = { groups: ['operations'] }, options: SiteOptions = {}): Promise<OpenidSite> {
  const issuer = await openIssuer();
  const openid = { issuer: issuer.issuer, clientId: 'console', clientSecret: secret, operators };
  return { ...(await consoleSite({ console: { openid }, ...options })), issuer };
}

/** A login that a browser has begun: its cookie, and the path of the redirect with which the issuer answers. */
async function begin(site: OpenidSite): Promise<{ readonly cookie: string; readonly begun: Answer; readonly redirect: string }> {
  const begun = await ask(site, '/console/login/openid');
  const { pathname, search } = await site.issuer.authorize(begun.headers.location ?? '');
  return { begun, cookie: cookieOf(begun), redirect: `${pathname}${search}` };
}

const isIn = async (site: ConsoleSite, cookie: string): Promise<number> => (await ask(site, '/console', { headers: { cookie } })).status;

describe('the login of the console at an OpenID provider', () => {
  it('lets an operator in, under the subject, by a page that goes on to the console', async () => {
    const site = await openidSite();
    expect(site.printed)
      .to.match(/^Console: \S+\/console$/m)
      .and.not.contain('Code:');
    expect((await ask(site, '/console/login')).body)
      .to.contain('href="/console/login/openid"')
      .and.not.contain('<form');
    const { cookie, redirect } = await begin(site);
    const answer = await ask(site, redirect, { headers: { cookie, 'sec-fetch-site': 'cross-site' } });
    expect(answer.status, answer.body).to.equal(200);
    expect(answer.body).to.contain('content="0; url=/console"');
    expect(answer.headers['set-cookie']?.[0]).to.match(/^toolkit-console=[\w-]{43}; .*; HttpOnly; SameSite=Strict$/);
    const { body } = await ask(site, '/console/api/overview', { headers: { cookie: cookieOf(answer) } });
    // No number: an answer of the console.
    expect(JSON.parse(body)).to.include({ name: ada });
  });

  it('sends code challenge, nonce and state, and a cookie that comes back with the redirect', async () => {
    const site = await openidSite();
    const { begun } = await begin(site);
    expect(begun.status).to.equal(303);
    const { searchParams } = new URL(begun.headers.location ?? '');
    expect(searchParams.get('code_challenge_method')).to.equal('S256');
    for (const name of ['code_challenge', 'nonce', 'state']) expect(searchParams.get(name), name).to.match(/^[\w-]{22,}$/);
    expect(begun.headers['set-cookie']?.[0]).to.match(
      /^toolkit-console-login-\w{16}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  const operators: readonly (readonly [what: string, operators: Operators])[] = [
    ['one of several values of a claim', { groups: ['nobody', 'operations'] }],
    ['the value of a claim', { role: ['operator'] }],
    ['the subject', { sub: [ada] }],
    ['one of several claims', { groups: ['nobody'], role: ['operator'] }],
    ['an email that the issuer has verified', { email: [ada] }],
  ];
  for (const [what, allowed] of operators)
    it(`lets a person in by ${what}, and another one not`, async () => {
      const site = await openidSite(allowed);
      const first = await begin(site);
      expect((await ask(site, first.redirect, { headers: { cookie: first.cookie } })).status).to.equal(200);
      site.issuer.person = eve;
      const second = await begin(site);
      const answer = await ask(site, second.redirect, { headers: { cookie: second.cookie } });
      expect(answer.status).to.equal(403);
      expect(answer.body).to.contain('not an operator');
      expect(cookieOf(answer)).to.equal('');
    });

  const strange: readonly (readonly [what: string, operators: Operators])[] = [
    ['a claim that the token lacks', { team: ['operations'] }],
    ['the name of a member of every object', { constructor: ['Object'], toString: ['x'] }],
    ['another spelling', { groups: ['Operations', 'operations '] }],
    ['a part of a value', { groups: ['oper'], role: ['op'] }],
  ];
  for (const [what, allowed] of strange)
    it(`lets nobody in by ${what}`, async () => {
      const site = await openidSite(allowed);
      const { cookie, redirect } = await begin(site);
      expect((await ask(site, redirect, { headers: { cookie } })).status).to.equal(403);
    });

  it('begins no login for a page of another site, and shows the button to a person who comes from one', async () => {
    const site = await openidSite();
    for (const from of ['cross-site', 'same-site']) {
      const answer = await ask(site, '/console/login/openid', { headers: { 'sec-fetch-site': from } });
      expect([answer.status, cookieOf(answer)], from).to.deep.equal([200, '']);
      expect(answer.body).to.contain('href="/console/login/openid"');
    }
    const begun = await ask(site, '/console/login/openid', { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(begun.status).to.equal(303);
  });

  it('takes a redirect once', async () => {
    const site = await openidSite();
    const { cookie, redirect } = await begin(site);
    const answers = await Promise.all([1, 2, 3].map(() => ask(site, redirect, { headers: { cookie } })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403, 403]);
  });

  it('takes no redirect in another browser, and leaves the login to the first one', async () => {
    const site = await openidSite();
    const victim = await begin(site);
    const attacker = await begin(site);
    const name = victim.cookie.split('=')[0] ?? '';
    const forged = `${name}=${attacker.cookie.split('=')[1] ?? ''}`;
    for (const cookie of ['', attacker.cookie, forged]) {
      const answer = await ask(site, victim.redirect, { headers: { cookie } });
      expect([answer.status, cookieOf(answer)], cookie).to.deep.equal([403, '']);
    }
    expect((await ask(site, victim.redirect, { headers: { cookie: victim.cookie } })).status).to.equal(200);
  });

  it('takes no redirect after ten minutes', async () => {
    const site = await openidSite();
    const { cookie, redirect } = await begin(site);
    const clock = sinon.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    try {
      clock.tick(10 * 60_000 + 1);
      expect((await ask(site, redirect, { headers: { cookie } })).status).to.equal(403);
    } finally {
      clock.restore();
    }
  });

  const changed: readonly (readonly [what: string, change: (query: URLSearchParams, other: URLSearchParams) => void])[] = [
    ['the code of another login', (query, other) => query.set('code', other.get('code') ?? '')],
    ['a code that is none', (query) => query.set('code', 'guess')],
    ['an error', (query) => query.set('error', 'access_denied')],
    ['another issuer', (query) => query.set('iss', 'https://login.elsewhere.example')],
    ['no issuer', (query) => query.delete('iss')],
    ['no state', (query) => query.delete('state')],
  ];
  for (const [what, change] of changed)
    it(`takes no redirect with ${what}`, async () => {
      const logger = memoryLogger();
      const site = await openidSite(undefined, { logger });
      const { cookie, redirect } = await begin(site);
      const other = await begin(site);
      const { pathname, searchParams } = new URL(redirect, site.origin);
      change(searchParams, new URL(other.redirect, site.origin).searchParams);
      const answer = await ask(site, `${pathname}?${searchParams}`, { headers: { cookie } });
      expect([answer.status, cookieOf(answer)]).to.deep.equal([403, '']);
      expect(JSON.stringify(logger.records)).to.not.contain(secret);
    });

  it('takes no code of a command, and shows no form for one', async () => {
    const site = await openidSite();
    expect((await sendCode(site, 'f'.repeat(26))).status).to.equal(401);
  });

  it('shows a page when the issuer cannot be reached, and not why', async () => {
    const logger = memoryLogger();
    const openid = { issuer: 'http://127.0.0.1:9', clientId: 'console', operators: { sub: [ada] } };
    const site = await consoleSite({ console: { openid }, logger });
    const answer = await ask(site, '/console/login/openid');
    expect(answer.status).to.equal(403);
    expect(answer.body).to.contain('the log of this server has the reason').and.not.contain('ECONNREFUSED');
    expect(logger.records.map(({ message }) => message).join('\n')).to.contain('a login at the OpenID provider failed');
  });

  it('goes on in another process of the store, which has nothing that signs in', async () => {
    const state = await sharedState();
    const one = await openidSite(undefined, { plugins: [state.plugin()] });
    const openid = { issuer: one.issuer.issuer, clientId: 'console', clientSecret: secret, operators: { groups: ['operations'] } };
    const { cookie, redirect, begun } = await begin(one);
    const two = await consoleSite({ console: { openid }, plugins: [state.plugin()] });
    const store = state.open();
    const kept = JSON.stringify(await store.list(''));
    await store.close();
    const { searchParams } = new URL(begun.headers.location ?? '');
    for (const value of [cookie.split('=')[1] ?? '', searchParams.get('state') ?? '', searchParams.get('nonce') ?? ''])
      expect(kept).to.not.contain(value);
    // The redirect names the address of the first process, which a proxy would lead to any of them.
    const answer = await ask(two, redirect, { headers: { cookie } });
    expect(answer.status, answer.body).to.equal(200);
    expect(await isIn(one, cookieOf(answer))).to.equal(200);
  });
});
