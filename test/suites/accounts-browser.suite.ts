/** Logs in to oidc-provider with the built program, by a person at a Chromium. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { afterEach } from '../support/after-each.ts';
import { loopback } from '../support/loopback.ts';
import { until } from '../support/until.ts';
import { Person } from './accounts-browser/person.ts';
import { type ProviderSite, providerSite, scopes } from './accounts-browser/provider-site.ts';
import { type ServedSite, servedSite } from './accounts-browser/served-site.ts';
import { type Browser, startChromium } from './site/chromium.ts';

const ann = 'ann@acme.example';

/** The address that the command shows. */
const address = /\n(http:\/\/localhost:\d+\/auth\?\S+)\n/;

const originOfRedirect = (url: string): string => new URL(new URL(url).searchParams.get('redirect_uri') ?? '').origin;

describe('logins in Chromium', function () {
  this.timeout(600_000);

  let folder: string | undefined;
  let browser: Browser;
  const persons: Person[] = [];

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-chromium-'));
    browser = await startChromium(folder, { acceptInsecureCerts: true });
  });
  afterEach(async () => {
    for (const person of persons.splice(0)) await person.close();
  });
  after(async () => {
    await browser?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  async function person(): Promise<Person> {
    const made = await Person.at(browser);
    persons.push(made);
    return made;
  }

  describe('by the command line', () => {
    interface Asked {
      readonly page: string;
      readonly scopes: readonly string[];
      readonly stdout: string;
    }

    /** Logs in at the command line; the person opens the address, signs in where the provider asks, and agrees. */
    async function logIn(site: ProviderSite, at: Person, ...args: readonly string[]): Promise<Asked> {
      const login = site.start('auth', 'login', 'acme', ...args);
      const [, url = ''] = await login.waitFor(address);
      await at.open(url);
      if ((await at.text()).includes('Sign-in')) await at.signIn(ann);
      const asked = await at.requestedScopes();
      const status = await at.agree();
      const page = await at.text();
      expect(status, page).to.equal(200);
      await at.expectOwnPage(originOfRedirect(url), 200);
      const { code } = await login.exit;
      expect(code, login.stderr()).to.equal(0);
      return { page, scopes: asked, stdout: login.stdout() };
    }

    it('connects an account, calls with it, refreshes it, adds scopes, and revokes it', async () => {
      const site = await providerSite();
      const { provider, used } = site;
      const at = await person();
      const first = await logIn(site, at, '--scopes', 'read');
      expect(first.page).to.contain(`The account ${ann} at acme is connected`).and.contain('You may close this window');
      expect(first.scopes).to.include(scopes.read).and.not.include(scopes.write);
      expect(await site.run('run', 'acme_read_messages')).to.contain(ann);
      expect(await provider.introspect(used.at(-1) ?? '')).to.deep.include({ account: ann });

      provider.lifeS = 1;
      await site.run('auth', 'refresh', 'acme');
      provider.lifeS = 3600;
      await until(async () => {
        const [{ expires_in_s: left }] = JSON.parse(await site.run('auth', 'status', '--json'));
        return left <= 0 ? true : undefined;
      });
      expect(await site.run('run', 'acme_read_messages')).to.contain(ann);
      expect(provider.tokenRequests.map(({ grant, status }) => `${grant} ${status}`)).to.deep.equal([
        'authorization_code 200',
        'refresh_token 200',
        'refresh_token 200',
      ]);
      expect(new Set(used).size, 'tokens of the calls').to.equal(2);

      const more = await logIn(site, at, '--scopes', 'write');
      expect(more.scopes, 'the page names what is new').to.deep.equal([scopes.write]);
      expect(await site.run('run', 'acme_read_messages')).to.contain(ann);
      const token = used.at(-1) ?? '';
      expect((await provider.introspect(token))?.scopes).to.include.members([scopes.read, scopes.write]);

      expect(await site.run('auth', 'logout', 'acme')).to.contain('revoked its access there');
      expect(await provider.introspect(token), 'the token at the provider').to.equal(undefined);
      const call = site.start('run', 'acme_read_messages');
      call.child.stdin?.end();
      expect((await call.exit).code).to.not.equal(0);
      expect(call.stderr()).to.contain('toolkit auth login acme');
    });
  });

  it('says at the terminal and on a page that the person did not agree', async () => {
    const site = await providerSite();
    const login = site.start('auth', 'login', 'acme', '--scopes', 'read');
    const [, url = ''] = await login.waitFor(address);
    const at = await person();
    await at.open(url);
    await at.signIn(ann);
    expect(await at.refuse()).to.equal(400);
    await at.expectOwnPage(originOfRedirect(url), 400);
    expect(await at.text())
      .to.contain('Not connected')
      .and.contain('access_denied');
    expect((await login.exit).code).to.equal(1);
    expect(login.stderr()).to.contain('access_denied');
  });

  it('lets a person type the code of a device', async () => {
    const site = await providerSite();
    const login = site.start('auth', 'login', 'acme', '--device', '--scopes', 'read');
    const [, url = '', code = ''] = await login.waitFor(/Open (\S+) on any device and type the code ([\w-]+)/);
    const at = await person();
    await at.open(url);
    await at.type('input[name=user_code]', code);
    await at.press('button[type=submit]');
    expect(await at.text(), 'the page asks whether the code is that of the device').to.contain(code);
    await at.press('button[type=submit]');
    await at.signIn(ann);
    expect(await at.requestedScopes()).to.include(scopes.read);
    await at.agree();
    expect(await at.text()).to.contain('Sign-in Success');
    expect((await login.exit).code, login.stderr()).to.equal(0);
    expect(login.stdout()).to.contain(`The account ${ann} at acme is connected`);
    expect(await site.run('run', 'acme_read_messages')).to.contain(ann);
    expect(await site.run('auth', 'logout', 'acme')).to.contain('revoked its access there');
    expect(await site.provider.introspect(site.used.at(-1) ?? '')).to.equal(undefined);
  });

  describe('by a link', () => {
    /** Opens the link, checks its page, and goes on to the provider by its button. Returns the text of the page. */
    async function goOn(at: Person, link: string, caller: string): Promise<string> {
      const { origin } = new URL(link);
      expect(await at.open(link), link).to.equal(200);
      await at.expectOwnPage(origin, 200);
      const page = await at.text();
      for (const named of [origin, 'acme', `The caller ${caller} of this server`, scopes.read]) expect(page).to.contain(named);
      await at.press('form button');
      expect(at.page.url(), 'the provider').to.contain('http://localhost:').and.contain('/interaction/');
      return page;
    }

    /** Signs in and agrees on the pages of the provider. Returns the text of the last page, which is one of ours. */
    async function finish(at: Person, origin: string): Promise<string> {
      await at.signIn(ann);
      await at.agree();
      await at.expectOwnPage(origin, 200);
      return at.text();
    }

    async function linkFor(site: ServedSite, caller: string): Promise<string> {
      const { isError, text } = await site.call(caller);
      expect(isError, text).to.equal(true);
      return /https?:\/\/127\S+\/accounts\/connect\/[\w-]{22}/.exec(text)?.[0] ?? text;
    }

    const isConnected = { isError: false, account: { acme: ann } };

    it('connects an account, and the next call has it', async () => {
      const site = await servedSite();
      const link = await linkFor(site, 'default');
      const at = await person();
      await goOn(at, link, 'default');
      expect(await finish(at, site.origin)).to.contain(`The account ${ann} at acme is connected to the caller default`);
      expect(await site.call('default')).to.deep.include(isConnected);
      expect(await site.provider.introspect(site.used.at(-1) ?? '')).to.deep.include({ account: ann });
      expect(await at.reload(), 'the last page again').to.equal(200);
      await at.expectOwnPage(site.origin, 200);
      expect(await at.text()).to.contain('Account connected');
      expect(site.provider.tokenRequests).to.have.length(1);
      expect(await at.open(link), 'the link again').to.equal(200);
      await at.expectOwnPage(site.origin, 200);
    });

    it('connects an account at a server on https', async () => {
      const site = await servedSite([], { isSecure: true });
      const at = await person();
      await goOn(at, await linkFor(site, 'default'), 'default');
      expect(new URL(site.origin).protocol).to.equal('https:');
      expect(await finish(at, site.origin)).to.contain('is connected to the caller default');
      expect(await site.call('default')).to.deep.include(isConnected);
    });

    for (const era of ['legacy', 'auto'] as const)
      it(`lets a call that asks its person go on, ${era}`, async () => {
        const site = await servedSite();
        const at = await person();
        let page: Promise<string> | undefined;
        const opens = (url: string): Promise<string> => {
          page = goOn(at, url, 'default').then(() => finish(at, site.origin));
          return page;
        };
        expect(await site.call('default', { era, opens })).to.deep.include(isConnected);
        expect(await page).to.contain(`The account ${ann} at acme is connected`);
        expect(site.used, 'calls of the API').to.have.length(1);
      });

    it('says on a page that the person did not agree', async () => {
      const site = await servedSite();
      const at = await person();
      await goOn(at, await linkFor(site, 'default'), 'default');
      await at.refuse();
      await at.expectOwnPage(site.origin, 400);
      expect(await at.text()).to.contain('No account was connected');
      expect((await site.call('default')).isError).to.equal(true);
      expect(site.provider.tokenRequests).to.deep.equal([]);
    });

    it('connects an account of one of several callers only when that caller types the code of the page', async () => {
      const site = await servedSite(['ada', 'bob']);
      const at = await person();
      expect(await goOn(at, await linkFor(site, 'ada'), 'ada')).to.contain('Give it to nobody');
      const page = await finish(at, site.origin);
      const [code = ''] = /\b[3-9A-Y]{4}-[3-9A-Y]{4}\b/.exec(page) ?? [];
      expect(page).to.contain(`toolkit auth login --confirm ${code} --as ada`);
      // A phone does that when the person comes back from typing.
      expect(await at.reload(), 'the page again').to.equal(200);
      await at.expectOwnPage(site.origin, 200);
      expect(await at.text()).to.contain(code);
      expect((await site.call('ada')).text, 'without the code').to.contain('waits for the code');
      const types = (): string => code;
      expect((await site.call('bob', { types })).isError, 'the code of another caller').to.equal(true);
      expect(await site.call('ada', { types })).to.deep.include(isConnected);
      expect(site.used, 'calls of the API').to.have.length(1);
    });

    it('goes on when the person went back, and when the button is pressed twice', async () => {
      const site = await servedSite();
      const link = await linkFor(site, 'default');
      const at = await person();
      await goOn(at, link, 'default');
      await at.back();
      await at.expectOwnPage(site.origin, 200);
      await at.press('form button');
      expect(at.page.url(), 'the provider').to.contain('/interaction/');
      await at.open(link);
      await at.pressTwice('form button');
      expect(at.page.url(), 'the provider').to.contain('/interaction/');
      expect(await finish(at, site.origin)).to.contain('is connected to the caller default');
      expect(await site.call('default')).to.deep.include(isConnected);
    });

    it('is shown in no frame, and takes no form, of another site', async () => {
      const site = await servedSite();
      const link = await linkFor(site, 'default');
      const body = `<!doctype html><title>Other</title><iframe src="${link}"></iframe><form method="post" action="${link}"><button>Win</button></form>`;
      const { url } = await loopback((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(body));
      const at = await person();
      const refused = new Promise<string>((resolve) => {
        at.page.on('console', (message) => void (message.text().includes('frame-ancestors') && resolve(message.text())));
      });
      await at.open(url.replace('127.0.0.1', 'localhost'));
      expect(await refused).to.contain(site.origin);
      expect(await at.press('form button')).to.equal(403);
      expect(site.provider.tokenRequests).to.deep.equal([]);
      await goOn(await person(), link, 'default');
    });

    it('is finished in no other browser than the one that opened it', async () => {
      const site = await servedSite();
      const link = await linkFor(site, 'default');
      const [at, other] = [await person(), await person()];
      await goOn(at, link, 'default');
      await other.open(link);
      await other.expectOwnPage(site.origin, 403);
      expect(await other.text()).to.contain('This link was opened elsewhere');
      await at.signIn(ann);
      const redirect = await at.agreeWithout('/accounts/callback');
      await other.open(redirect);
      await other.expectOwnPage(site.origin, 403);
      expect(site.provider.tokenRequests, 'token requests').to.deep.equal([]);
      expect((await site.call('default')).isError).to.equal(true);
      await at.open(redirect);
      await at.expectOwnPage(site.origin, 200);
      expect(await site.call('default')).to.deep.include(isConnected);
    });
  });
});
