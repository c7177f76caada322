import { expect } from 'chai';
import { Browser, codeIn, tokenIn } from './browser.ts';
import { connectSite } from './connect-site.ts';

const ada = { tenant: 'shop', caller: 'ada', provider: 'mail' };

describe('accounts: login by link', () => {
  it('connects an account by a link, without a code where there is one caller', async () => {
    const site = await connectSite();
    const browser = new Browser(site);
    const link = String(await site.connect.link(ada, ['read', 'send']));
    const asked = await browser.open(link);
    expect(asked.text)
      .to.contain('Continue only if you asked for this yourself')
      .and.contain('<strong>ada</strong>')
      .and.contain('<li>send</li>');
    const sent = await browser.submit(link, { token: tokenIn(asked.text) });
    expect(sent.status).to.equal(303);
    const done = await browser.open(site.provider.redirectOf(sent.location));
    expect(done.status).to.equal(200);
    expect(done.text).to.contain('The account <strong>ada@mail.example</strong> at <strong>Mail</strong> is connected');
    expect(site.provider.saved.map(({ owner, scopes }) => ({ ...owner, scopes }))).to.deep.equal([
      { ...ada, issuer: 'https://login.mail.example', account: 'default', scopes: ['read', 'send'] },
    ]);
    expect((await browser.open(link)).text).to.contain('Account connected');
  });

  it('writes the grant of one caller among several only when that caller types the code', async () => {
    const site = await connectSite({ hasSeveralCallers: true });
    const browser = new Browser(site);
    const link = String(await site.connect.link(ada, []));
    const redirect = site.provider.redirectOf(await browser.goOn(link));
    const page = await browser.open(redirect);
    const code = codeIn(page.text);
    expect(code).to.match(/^[3-9A-Y]{4}-[3-9A-Y]{4}$/);
    expect(page.text).to.contain(`toolkit auth login --confirm ${code} --as ada --tenant shop`);
    expect(site.provider.saved).to.have.length(0);
    for (const again of [link, redirect]) expect(codeIn((await browser.open(again)).text), 'after a reload').to.equal(code);
    expect(codeIn((await new Browser(site).open(redirect)).text), 'in another browser').to.equal('');
    const { owner, account } = await site.connect.confirm({ tenant: 'shop', caller: 'ada', code: ` ${code.toLowerCase()} ` });
    expect([owner.caller, account]).to.deep.equal(['ada', 'ada@mail.example']);
    expect(site.provider.saved).to.have.length(1);
  });
});
