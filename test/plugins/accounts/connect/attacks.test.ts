import { expect } from 'chai';
import type { NewGrant } from '../../../../plugins/accounts/grants/grant.ts';
import { rejection } from '../../../support/rejection.ts';
import { storeInFile } from '../../../support/shared-state.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { Browser, codeIn, tokenIn, type Visit } from './browser.ts';
import { type ConnectSite, connectSite, type SiteOptions } from './connect-site.ts';

const minute = 60_000;
const ada = { tenant: 'shop', caller: 'ada', provider: 'mail' };
const mallory = { ...ada, caller: 'mallory' };

/** A link of a caller, and the person's browser. */
interface Begun {
  readonly site: ConnectSite;
  readonly link: string;
  readonly browser: Browser;
}

interface Attack extends SiteOptions {
  readonly does: string;
  /** The answers to look at afterwards. */
  run(begun: Begun): Promise<readonly Visit[]>;
}

async function open(options: SiteOptions, holder = ada): Promise<Begun> {
  const site = await connectSite(options);
  return { site, link: String(await site.connect.link(holder, ['read'])), browser: new Browser(site) };
}

/** Fails when a grant was written, or a secret is in the store, the log or an answer. */
async function expectNothing({ site, link, browser }: Begun, answers: readonly Visit[]): Promise<void> {
  expect(site.provider.saved).to.deep.equal([]);
  await expectNoSecrets(site, answers, [link.split('/').at(-1) ?? '', ...browser.cookies.values()]);
}

async function expectNoSecrets(
  { state, logged, provider }: ConnectSite,
  answers: readonly Visit[],
  secrets: readonly string[],
): Promise<void> {
  const codes = answers.map(({ text }) => codeIn(text)).filter((code) => code !== '');
  const kept = JSON.stringify(await state.list(''));
  for (const secret of [...secrets, ...provider.issued, ...codes, ...codes.map((code) => code.replace('-', ''))]) {
    expect(kept, 'store').to.not.contain(secret);
    expect(logged.join('\n'), 'log').to.not.contain(secret);
  }
  for (const { text, headers } of answers)
    for (const token of provider.issued) expect(`${text}${JSON.stringify([...headers])}`, 'answer').to.not.contain(token);
}

/** Those of redirects and of hostile providers are in `refusals.e2e.ts`, at a real authorization server. */
const attacks: readonly Attack[] = [
  {
    does: 'types wrong codes five times, then the right one',
    hasSeveralCallers: true,
    run: async ({ site, link, browser }) => {
      const page = await browser.open(site.provider.redirectOf(await browser.goOn(link)));
      const left: unknown[] = [];
      for (let n = 0; n < 5; n++)
        left.push((await rejection(site.connect.confirm({ ...ada, code: `CCCC-CCC${n}` }), 'INVALID_PARAMETERS')).details['triesLeft']);
      expect(left).to.deep.equal([4, 3, 2, 1, 0]);
      await rejection(site.connect.confirm({ ...ada, code: codeIn(page.text) }), 'INVALID_PARAMETERS');
      return [page, await browser.open(link)];
    },
  },
  {
    does: 'guesses codes a hundred at a time',
    hasSeveralCallers: true,
    run: async ({ site, link, browser }) => {
      const page = await browser.open(site.provider.redirectOf(await browser.goOn(link)));
      const guesses = Array.from({ length: 100 }, (_, n) => site.connect.confirm({ ...ada, code: `CCCC${1000 + n}` }).catch(() => {}));
      await Promise.all(guesses);
      await rejection(site.connect.confirm({ ...ada, code: codeIn(page.text) }), 'INVALID_PARAMETERS');
      return [page];
    },
  },
  {
    does: 'types the code after ten minutes',
    hasSeveralCallers: true,
    run: async ({ site, link, browser }) => {
      const page = await browser.open(site.provider.redirectOf(await browser.goOn(link)));
      site.pass(10 * minute);
      await rejection(site.connect.confirm({ ...ada, code: codeIn(page.text) }), 'INVALID_PARAMETERS');
      return [page];
    },
  },
  {
    does: 'brings the redirect without the cookie, and in another browser that has opened a link too',
    run: async ({ site, link, browser }) => {
      const redirect = site.provider.redirectOf(await browser.goOn(link));
      const other = new Browser(site);
      const without = await other.open(redirect);
      await other.goOn(String(await site.connect.link(mallory, [])));
      const withOther = await other.open(redirect);
      expect([without.status, withOther.status]).to.deep.equal([403, 403]);
      expect(withOther.text).to.contain('opened elsewhere');
      return [without, withOther];
    },
  },
  {
    does: 'guesses ids',
    run: async ({ site, browser }) => {
      const ids = [
        '',
        'a',
        'A'.repeat(22),
        'A'.repeat(23),
        '..%2f..',
        '%00',
        'connect/pending',
        `${'A'.repeat(21)}%41`,
        `${'A'.repeat(22)}/`,
      ];
      const pages = await Promise.all(ids.map((id) => browser.open(`${site.url}/accounts/connect/${id}`)));
      expect(pages.map(({ status }) => status)).to.deep.equal(ids.map(() => 404));
      expect(new Set(pages.map(({ text }) => text)).size, 'one text for all').to.equal(1);
      return pages;
    },
  },
  {
    does: 'sends a form without a token, with a wrong one, and with that of another browser',
    run: async ({ link, browser, site }) => {
      const other = new Browser(site);
      const theirs = tokenIn((await other.open(String(await site.connect.link(mallory, [])))).text);
      const own = tokenIn((await browser.open(link)).text);
      const sent = [
        await browser.submit(link, {}),
        await browser.submit(link, { token: '' }),
        await browser.submit(link, { token: `${own.slice(0, -1)}_` }),
        await browser.submit(link, { token: theirs }),
        await other.submit(link, { token: own }),
        await new Browser(site).submit(link, { token: own }),
      ];
      expect(sent.map(({ status, location }) => [status, location])).to.deep.equal(sent.map(() => [403, '']));
      return sent;
    },
  },
  {
    does: 'sends a form twice',
    run: async ({ link, browser }) => {
      const token = tokenIn((await browser.open(link)).text);
      const sent = await Promise.all([1, 2, 3].map(() => browser.submit(link, { token })));
      const again = await browser.submit(link, { token });
      expect(new Set([...sent, again].map(({ status, location }) => `${status} ${location}`)), 'one login').to.have.property('size', 1);
      expect(again.status).to.equal(303);
      const newer = await browser.submit(link, { token: tokenIn((await browser.open(link)).text) });
      expect([newer.status, newer.location]).to.not.include(again.location);
      const old = await browser.submit(link, { token });
      expect([old.status, old.location], 'behind a newer form').to.deep.equal([403, '']);
      expect(old.text).to.contain('<a href="">Open the link again</a>');
      return [...sent, again, newer, old];
    },
  },
  {
    does: 'opens the link in a second browser',
    run: async ({ site, link, browser }) => {
      await browser.open(link);
      const page = await new Browser(site).open(link);
      expect([page.status, tokenIn(page.text)]).to.deep.equal([403, '']);
      expect(page.text).to.contain('opened elsewhere');
      return [page];
    },
  },
  {
    does: 'plants a cookie in the browser before the link is opened',
    run: async ({ site, link, browser }) => {
      const probe = new Browser(site);
      await probe.open(link, { 'sec-fetch-mode': 'cors' });
      const [name = ''] = probe.cookies.keys();
      browser.cookies.set(name, 'planted-by-mallory-000');
      const page = await browser.open(link);
      expect(browser.cookies.get(name))
        .to.match(/^[\w-]{22}$/)
        .and.not.equal('planted-by-mallory-000');
      return [page];
    },
  },
  {
    does: 'opens a link that was replaced by one with more scopes',
    run: async ({ site, link, browser }) => {
      const more = String(await site.connect.link(ada, ['send']));
      expect(more).to.not.equal(link);
      const page = await browser.open(link);
      expect(page.status).to.equal(404);
      const next = await browser.open(more);
      expect(next.text).to.contain('<li>read</li><li>send</li>');
      return [page, next];
    },
  },
  {
    does: 'moves sealed entries of the store to other keys',
    run: async ({ site, link, browser }) => {
      await browser.goOn(link);
      const victim = new Browser(site);
      const state = new URL(await victim.goOn(String(await site.connect.link(mallory, [])))).searchParams.get('state') ?? '';
      const entries = await site.state.list('connect/');
      for (const { key } of entries)
        for (const other of entries)
          if (key !== other.key && key.split('/')[1] === other.key.split('/')[1] && other.value.length > 1)
            await site.state.set(key, other.value);
      const page = await victim.open(`${site.url}/accounts/callback?code=x&state=${state}&iss=https://login.mail.example`);
      expect(page.status).to.equal(400);
      return [page];
    },
  },
];

describe('accounts: attacks on logins by link', () => {
  for (const { does, run, ...options } of attacks)
    it(`connects nothing for one that ${does}`, async () => {
      const begun = await open(options);
      await expectNothing(begun, await run(begun));
    });

  it('finishes a login once, however often its redirect comes', async () => {
    const { site, link, browser } = await open({});
    const redirect = site.provider.redirectOf(await browser.goOn(link));
    const pages = await Promise.all([1, 2, 3, 4, 5].map(() => browser.open(redirect)));
    const again = await browser.open(redirect);
    expect([again.status, again.text].join(), 'how it ended').to.match(/^200,.*Account connected/s);
    const elsewhere = await new Browser(site).open(redirect);
    expect(elsewhere.status, 'in another browser').to.equal(403);
    expect(site.provider.saved).to.have.length(1);
    await expectNoSecrets(site, [...pages, again, elsewhere], [link.split('/').at(-1) ?? '']);
  });

  it('writes the grant once when its code is typed twice at once', async () => {
    const { site, link, browser } = await open({ hasSeveralCallers: true });
    const code = codeIn((await browser.open(site.provider.redirectOf(await browser.goOn(link)))).text);
    const typed = await Promise.allSettled([1, 2, 3].map(() => site.connect.confirm({ ...ada, code })));
    expect(typed.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(site.provider.saved).to.have.length(1);
  });

  it('asks for a code where the server got a second caller after the link was made', async () => {
    const { site, link, browser } = await open({});
    const address = await browser.goOn(link);
    site.settings.hasSeveralCallers = true;
    expect(codeIn((await browser.open(site.provider.redirectOf(address))).text)).to.not.equal('');
    expect(site.provider.saved).to.deep.equal([]);
  });

  it('takes a code again when the grant could not be written', async () => {
    const { site, link, browser } = await open({ hasSeveralCallers: true });
    const code = codeIn((await browser.open(site.provider.redirectOf(await browser.goOn(link)))).text);
    site.provider.failSaving = true;
    await rejection(site.connect.confirm({ ...ada, code }), 'STATE_UNAVAILABLE');
    site.provider.failSaving = false;
    await site.connect.confirm({ ...ada, code });
    expect(site.provider.saved.map(({ owner }: NewGrant) => owner.caller)).to.deep.equal(['ada']);
  });

  it('leaves a link open that was only looked at in advance', async () => {
    const { site, link, browser } = await open({});
    const bot = new Browser(site);
    expect((await fetch(link, { method: 'HEAD' })).status).to.equal(405);
    for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }, { 'x-moz': 'prefetch' }])
      expect((await bot.open(link, headers)).status).to.equal(503);
    expect((await bot.open(link, { 'sec-fetch-mode': 'no-cors' })).status).to.equal(200);
    await browser.open(site.provider.redirectOf(await browser.goOn(link)));
    expect(site.provider.saved).to.have.length(1);
  });

  it('shows names as text, whatever they contain', async () => {
    const markup = "\"><script>alert(1)</script><img src=x onerror='x'>`\u202e";
    const site = await connectSite({ title: markup, hasSeveralCallers: true });
    const browser = new Browser(site);
    const holder = { tenant: markup, caller: markup, provider: markup, account: markup };
    const link = String(await site.connect.link(holder, [markup]));
    const asked = await browser.open(link);
    const page = await browser.open(site.provider.redirectOf((await browser.submit(link, { token: tokenIn(asked.text) })).location));
    await site.connect.confirm({ tenant: markup, caller: markup, code: codeIn(page.text) });
    const done = await browser.open(link);
    for (const { text, headers } of [asked, page, done]) {
      expect(text)
        .to.contain('&quot;&gt;&lt;script&gt;')
        .and.not.match(/<script|<img|\u202e/);
      expect(headers.get('content-security-policy')).to.contain("default-src 'none'").and.contain("frame-ancestors 'none'");
      expect(headers.get('cache-control')).to.equal('no-store');
    }
    // A shell takes the caller's name as one word.
    expect(page.text).to.contain('--as &#39;&quot;&gt;&lt;script');
  });

  it('sets a cookie that only this host can have set, over https only', async () => {
    const { browser, link } = await open({ baseUrl: 'https://tools.example' });
    const { headers } = await browser.open(link);
    expect(headers.get('set-cookie')).to.match(
      /^__Host-toolkit-connect-[\da-f]{16}=[\w-]{22}; Path=\/; Max-Age=1200; HttpOnly; SameSite=Lax; Secure$/,
    );
    const plain = await open({});
    expect((await plain.browser.open(plain.link)).headers.get('set-cookie')).to.match(/^toolkit-connect-.*SameSite=Lax$/);
  });
});

describe('accounts: links of several processes with one store', () => {
  it('shows, finishes and confirms a login in other processes than the one that made its link', async () => {
    const file = `${await temporaryFolder()}/state.db`;
    const sites = await Promise.all(
      [1, 2, 3].map(() => connectSite({ state: storeInFile(file), hasSeveralCallers: true, baseUrl: 'https://tools.example' })),
    );
    const [first, second, third] = sites as [ConnectSite, ConnectSite, ConnectSite];
    const link = String(await first.connect.link(ada, ['read']));
    expect(await second.connect.link(ada, ['read']), 'the same link').to.equal(link);
    const origin = { url: second.url };
    const browser = new Browser(origin);
    const redirect = second.provider.redirectOf(await browser.goOn(link));
    const page = await browser.open(redirect);
    expect(third.provider.saved).to.deep.equal([]);
    await third.connect.confirm({ ...ada, code: codeIn(page.text) });
    expect(third.provider.saved.map(({ owner }) => owner.caller)).to.deep.equal(['ada']);
    await Promise.all(sites.map(({ state }) => state.close()));
  });
});
