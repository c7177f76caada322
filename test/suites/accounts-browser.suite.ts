/** Logs in to oidc-provider with the built program, by a person at a Chromium. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { afterEach } from '../support/after-each.ts';
import { until } from '../support/until.ts';
import { Person } from './accounts-browser/person.ts';
import { type ProviderSite, providerSite, scopes } from './accounts-browser/provider-site.ts';
import { type Browser, startChromium } from './site/chromium.ts';

const ann = 'ann@acme.example';
const address = /\n(http:\/\/localhost:\d+\/auth\?\S+)\n/;

describe('logins in Chromium', function () {
  this.timeout(600_000);

  let folder: string | undefined;
  let browser: Browser;
  const persons: Person[] = [];

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-chromium-'));
    browser = await startChromium(folder);
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
      const redirectUri = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
      await at.expectOwnPage(redirectUri.origin, 200);
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
});
