import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Browser, codeIn, type Visit } from '../plugins/accounts/connect/browser.ts';
import { AccountsSite, clientOf, eraNames, httpTransport, limitMs, services } from './accounts-site.ts';

const { read, write } = services.gmail;
const token = 'the-token';
const link = /http:\/\/127\.0\.0\.1:\d+\/accounts\/connect\/[\w-]+/;
const named = { gmail: 'ann@acme.example' };

/** Opens a link in a browser, and logs in at the provider. Returns the last page. */
async function connectBy(site: AccountsSite, address: string): Promise<Visit> {
  const browser = new Browser({ url: new URL(address).origin });
  const redirect = site.server.authorize(await browser.goOn(address));
  return browser.open(redirect.href);
}

describe('a call over HTTP that lacks an account', function () {
  this.timeout(limitMs);

  for (const era of eraNames)
    it(`goes on once its person has opened the page: ${era}`, async () => {
      const site = await AccountsSite.begin();
      const url = await site.serve('--token', token);
      const pages: string[] = [];
      const open = async (address: string): Promise<void> => {
        pages.push((await connectBy(site, address)).text);
      };
      const client = await clientOf(era, httpTransport(url, token), open);
      const completed: string[] = [];
      client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => void completed.push(params.elicitationId));
      expect(await site.call(client, write)).to.deep.equal(named);
      expect(pages).to.have.length(1);
      expect(pages[0]).to.contain('ann@acme.example');
      expect(completed).to.have.length(era === '2025-11-25' ? 1 : 0);
      expect(site.writes).to.have.length(1);
      expect(await site.call(client, write)).to.deep.equal(named);
      expect(site.writes).to.have.length(2);
      await site.expectNoSecret();
    });

  for (const era of eraNames)
    it(`gets the link in the text, and the next call works: ${era}`, async () => {
      const site = await AccountsSite.begin();
      const client = await clientOf(era, httpTransport(await site.serve('--token', token), token));
      const text = await site.fail(client, write);
      expect(text).to.match(/^AUTH_REQUIRED/);
      const page = await connectBy(site, link.exec(text)?.[0] ?? '');
      expect(page.text).to.contain('ann@acme.example');
      expect(site.writes).to.have.length(0);
      expect(await site.call(client, write)).to.deep.equal(named);
      expect(site.writes).to.have.length(1);
      await site.expectNoSecret();
    });

  for (const era of eraNames)
    it(`needs the code of the page where there are several callers, and gives no other caller the account: ${era}`, async () => {
      const site = await AccountsSite.begin();
      const callers = ['ann', 'bob'];
      const tokens = callers.map((name) => ({ name, sha256: hash('sha256', `token-of-${name}`) }));
      await writeFile(path.join(site.cwd, 'tokens.yaml'), JSON.stringify(tokens));
      const url = await site.serve('--tokens-file', 'tokens.yaml');
      const ann = await clientOf(era, httpTransport(url, 'token-of-ann'));
      const bob = await clientOf(era, httpTransport(url, 'token-of-bob'));
      const page = await connectBy(site, link.exec(await site.fail(ann, write))?.[0] ?? '');
      const code = codeIn(page.text);
      expect(code).to.match(/^\w{4}-\w{4}$/);
      expect(await site.fail(ann, write))
        .to.contain('AUTH_REQUIRED')
        .and.contain('--confirm')
        .and.not.contain(code);
      const confirm = site.start('auth', 'login', '--confirm', code, '--as', 'ann');
      confirm.child.stdin?.end();
      expect((await confirm.exit).code, confirm.stderr()).to.equal(0);
      expect(await site.call(ann, write)).to.deep.equal(named);
      for (const call of [read, write]) expect(await site.fail(bob, call)).to.contain('AUTH_REQUIRED');
      expect(site.writes).to.have.length(1);
      await site.expectNoSecret();
    });
});
