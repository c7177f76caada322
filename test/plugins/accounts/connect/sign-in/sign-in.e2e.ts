import { expect } from 'chai';
import { codeIn, tokenIn } from '../browser.ts';
import type { SiteOptions } from '../connect-site.ts';
import { eve, expectNothing, signIn, signInSite } from './sign-in-site.ts';

describe('the sign-in of a link', () => {
  it('lets the person who is the caller go on, without a code', async () => {
    const begun = await signInSite();
    const { site, browser, link } = begun;
    const first = await browser.open(link);
    expect(first.text).to.contain('Sign in to connect an account at Mail').and.contain(begun.issuer.issuer);
    const back = await signIn(begun);
    expect([back.status, back.location], back.text).to.deep.equal([303, link]);
    const asked = await browser.open(link);
    expect(asked.text).to.contain('Continue to Mail').and.not.contain('shows a code');
    const done = await browser.open(site.provider.redirectOf(await browser.goOn(link)));
    expect(done.text).to.contain('is connected to the caller');
    expect(site.provider.saved.map(({ owner }) => owner.caller)).to.deep.equal([begun.caller]);
  });

  it('ends the link when another person signs in, and says so in the log', async () => {
    const begun = await signInSite();
    const { site, issuer, browser, link } = begun;
    issuer.person = eve;
    const page = await signIn(begun);
    expect(page.status).to.equal(403);
    expect(page.text).to.contain('You signed in as another person');
    const line = site.logged.find((one) => one.includes('another person has signed in'));
    expect(line).to.contain('eve@shop.example').and.contain('ada@shop.example');
    const again = await browser.open(link);
    expect(again.text).to.contain('You signed in as another person');
    await expectNothing(begun, [page, again]);
  });

  it('asks the issuer for a new login, whatever session the browser has there', async () => {
    const begun = await signInSite();
    expect(new URL(await begun.browser.goOn(begun.link)).searchParams.get('prompt')).to.equal('login');
  });

  it('sends no browser to the provider before it', async () => {
    const begun = await signInSite();
    const { browser, link, issuer } = begun;
    const { text } = await browser.open(link);
    const sent = await browser.submit(link, { token: tokenIn(text) });
    expect(sent.location.startsWith(issuer.issuer)).to.equal(true);
    const again = await browser.submit(link, { token: tokenIn(text) });
    expect(again.location, 'a button that is pressed twice').to.equal(sent.location);
    await expectNothing(begun, [sent]);
  });

  it('keeps the link when the caller asks again meanwhile', async () => {
    const begun = await signInSite();
    await signIn(begun);
    await begun.browser.goOn(begun.link);
    const { caller } = begun;
    expect(await begun.site.connect.link({ tenant: 'shop', caller, provider: 'mail' }, ['read'])).to.equal(begun.link);
  });

  for (const [name, options, caller] of [
    ['without a client there', { signIn: undefined }, undefined],
    ['for the caller of a plain token', {}, 'bob'],
    ['for a client without a person', {}, 'https://login.shop.example#robot'],
  ] as const)
    it(`is not asked for ${name}: the caller types a code`, async () => {
      const begun = await signInSite(options as SiteOptions);
      const { site, browser } = begun;
      const holder = { tenant: 'shop', caller: caller ?? begun.caller, provider: 'mail' };
      const link = String(await site.connect.link(holder, []));
      const page = await browser.open(site.provider.redirectOf(await browser.goOn(link)));
      expect(codeIn(page.text)).to.match(/^.{4}-.{4}$/);
      expect(site.provider.saved).to.deep.equal([]);
    });

  it('warns once of an issuer that the server does not have', async () => {
    const begun = await signInSite({ signIn: { clientId: 'toolkit-server', issuer: 'https://elsewhere.example' } });
    await begun.browser.open(begun.link);
    await begun.browser.open(begun.link);
    const warned = begun.site.logged.filter((line) => line.includes('https://elsewhere.example, which the server does not have'));
    expect(warned).to.have.length(1);
  });
});
