import { expect } from 'chai';
import { codeIn, tokenIn } from '../connect/browser.ts';
import type { Attempt } from './attempt.ts';
import { ada, mallory, type RefusalSite } from './refusal-site.ts';
import type { SeenBrowser } from './seen-browser.ts';

const linkTtlMs = 10 * 60_000;

/** Logs in by a link as far as a browser can. Returns the code of the last page. */
async function finish({ server }: RefusalSite, browser: SeenBrowser, link: string): Promise<string> {
  return codeIn((await browser.open(server.authorize(await browser.goOn(link)).href)).text);
}

/** Lets the codes of all logins expire. The tokens of `count` are revoked then. */
async function expireCodes(site: RefusalSite, count: number): Promise<void> {
  site.store.clock.now += linkTtlMs;
  await site.link({ caller: 'another' });
  // Waits for what runs in the background.
  await site.connect.close();
  expect(site.server.revoked, 'revoked tokens').to.have.length(count);
}

/** Links, the codes that confirm them, and their expiry. */
export const linkAttempts: readonly Attempt[] = [
  {
    attempt: 'a login for somebody else: the victim opens the link of the attacker, and keeps the code',
    site: { hasSeveralCallers: true },
    says: 'If somebody asks you for this code, they want your account',
    run: async (site) => {
      const link = await site.link(mallory);
      const victim = site.browser();
      const asked = await victim.open(link);
      expect(asked.text).to.contain('<strong>mallory</strong>').and.contain('Continue only if you asked for this yourself');
      const code = await finish(site, victim, link);
      site.secrets.push(code);
      // The page may show it.
      site.answers.splice(0, site.answers.length, ...site.answers.map((answer) => answer.replaceAll(code, '…')));
      const guess = code.startsWith('C') ? 'DDDD-DDDD' : 'CCCC-CCCC';
      await site.refused(site.connect.confirm({ ...mallory, code: guess }));
      await site.refused(site.connect.confirm({ ...ada, code }));
      await expireCodes(site, 1);
    },
  },
  {
    attempt: 'a code that nobody types: its tokens are revoked when it expires',
    site: { hasSeveralCallers: true },
    says: 'Its code was not typed in time.',
    run: async (site) => {
      const link = await site.link();
      const browser = site.browser();
      const code = await finish(site, browser, link);
      await expireCodes(site, 1);
      await browser.open(link);
      await site.refused(site.connect.confirm({ ...ada, code }));
      expect(site.server.accountOf(site.server.issued[1] ?? ''), 'the access token').to.equal(undefined);
    },
  },
  {
    attempt: 'five wrong codes: the tokens of the login are revoked with the last',
    site: { hasSeveralCallers: true },
    says: 'A wrong code was typed 5 times.',
    run: async (site) => {
      const link = await site.link();
      const browser = site.browser();
      await finish(site, browser, link);
      for (let n = 0; n < 5; n++) await site.refused(site.connect.confirm({ ...ada, code: `CCCC-CCC${n}` }));
      expect(site.server.revoked, 'revoked tokens').to.have.length(1);
      await browser.open(link);
    },
  },
  {
    attempt: 'the state of a login of another tenant',
    says: 'opened elsewhere',
    run: async (site) => {
      const theirs = new URL(await site.browser().goOn(await site.link({ tenant: 'bakery' })));
      const browser = site.browser();
      const own = site.server.authorize(await browser.goOn(await site.link()));
      own.searchParams.set('state', theirs.searchParams.get('state') ?? '');
      await browser.open(own.href);
    },
  },
  {
    attempt: 'a link that has expired',
    says: '404',
    run: async (site) => {
      const link = await site.link();
      site.store.clock.now += linkTtlMs;
      await site.browser().open(link);
    },
  },
  {
    attempt: 'a redirect after the link has expired',
    says: 'belongs to no login',
    run: async (site) => {
      const browser = site.browser();
      const redirect = site.server.authorize(await browser.goOn(await site.link()));
      site.store.clock.now += linkTtlMs;
      await browser.open(redirect.href);
    },
  },
  {
    attempt: 'an open redirect: a link with another target',
    says: '303',
    run: async (site) => {
      const query = '?next=https://evil.example&redirect_uri=https://evil.example&url=//evil.example';
      const browser = site.browser();
      const link = `${await site.link()}${query}`;
      const { text } = await browser.open(link);
      const sent = await browser.submit(link, { token: tokenIn(text), next: 'https://evil.example' });
      expect(new URL(sent.location).origin).to.equal(site.server.url);
      expect(new URL(sent.location).searchParams.get('redirect_uri')).to.equal(`${site.url}/accounts/callback`);
      const redirect = site.server.authorize(sent.location);
      for (const name of ['next', 'url', 'return_to']) redirect.searchParams.set(name, 'https://evil.example');
      redirect.searchParams.set('state', 'A'.repeat(22));
      const page = await browser.open(redirect.href);
      expect(site.answers.join('\n') + page.location).to.not.contain('evil');
    },
  },
  {
    attempt: 'the code of another caller and of another tenant',
    site: { hasSeveralCallers: true },
    says: 'waits for a code',
    run: async (site) => {
      const code = await finish(site, site.browser(), await site.link());
      for (const caller of [mallory, { ...ada, tenant: 'bakery' }, { ...ada, tenant: 'ada', caller: 'shop' }])
        await site.refused(site.connect.confirm({ ...caller, code }));
      await expireCodes(site, 1);
    },
  },
];
