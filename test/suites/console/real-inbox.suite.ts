import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { ApprovalRecord } from '../../../kernel/index.ts';
import { until } from '../../support/until.ts';
import { type OwnBrowser, startBrowser } from './browser.ts';
import { logIn, openPage, type RealPage } from './real-page.ts';
import { type RealServer, startRealServer } from './real-server.ts';

describe('the inbox of a real server, by keyboard alone', () => {
  let own: OwnBrowser;
  let server: RealServer;
  let opened: RealPage;
  let page: Page;

  before(async () => {
    server = await startRealServer();
    own = await startBrowser();
    opened = await openPage(own.browser);
    page = opened.page;
    await logIn(page, server, server.code);
  });
  after(async () => {
    await own?.close();
    await server?.close();
  });
  beforeEach(async () => {
    await page.goto(`${server.address}#/inbox`);
    await page.reload();
    await page.locator('.empty').waitFor();
  });
  afterEach(async () => {
    expect(opened.failures).to.deep.equal([]);
    // What a failed test has left.
    for (const { id } of await waiting())
      await server.kernel.approvals.decide(id, { approve: false, by: { way: 'library', name: 'cleaner' } });
  });

  const waiting = async (): Promise<readonly ApprovalRecord[]> => (await server.kernel.approvals.list({ status: 'waiting' })).approvals;
  const row = (text: string) => page.locator('.inbox-row', { hasText: text });
  const shows = (text: string) => page.locator('.approval .parameters', { hasText: text }).waitFor();
  const rowHasFocus = (text: string) => page.locator('.inbox-row a:focus', { hasText: text }).waitFor();
  /** Calls as a model does, one after the other, so that the list has them in this order, the last one first. Resolves to their answers to come. */
  const ask = async (...names: readonly string[]): Promise<readonly Promise<string>[]> => {
    const answers: Promise<string>[] = [];
    for (const name of names) {
      answers.push(server.model.call('pay_invoice', { amount: 1, to: name }));
      await row(name).waitFor();
    }
    return answers;
  };
  /** Presses Tab until a control with that name, or the element, has the focus. */
  const tabTo = async (name: string, selector = 'button'): Promise<void> => {
    const wanted =
      name === '' ? page.locator(`${selector}:focus`) : page.locator(`${selector}:focus`).and(page.getByRole('button', { name }));
    await until(async () => {
      if ((await wanted.count()) > 0) return true;
      await page.keyboard.press('Tab');
      return undefined;
    });
  };

  it('begins empty after the login, and says what to do', async () => {
    await page.locator('.empty', { hasText: 'appears here by itself' }).waitFor();
    expect(await page.locator('.person').innerText()).to.include('operator');
  });

  it('approves a call whose client waits and gets the result, and goes on with the next one', async () => {
    // The newest call is above.
    const [ann, ben, cem] = await ask('ann', 'ben', 'cem');
    await shows('ann');
    await page.keyboard.press('k');
    await rowHasFocus('ben');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await rowHasFocus('ben');
    await shows('ben');
    await page.keyboard.press('Enter');
    await page.locator('.approval h2:focus').waitFor();
    await page.keyboard.press('a');
    await page.locator('.asking button[type=submit]:focus').waitFor();
    expect(await waiting()).to.have.length(3);
    await page.keyboard.press('Enter');
    expect(await ben).to.include('"to":"ben"');
    await rowHasFocus('ann');
    await shows('ann');
    await page.keyboard.press('a');
    await page.locator('.asking button[type=submit]:focus').waitFor();
    await page.keyboard.press('Enter');
    expect(await ann).to.include('"to":"ann"');
    await rowHasFocus('cem');
    expect((await waiting()).map(({ shown }) => shown.parameters['to'])).to.deep.equal(['cem']);
    await page.keyboard.press('a');
    await page.locator('.asking button[type=submit]:focus').waitFor();
    await page.keyboard.press('Enter');
    expect(await cem).to.include('"to":"cem"');
    await page.locator('.empty', { hasText: 'Nothing waits for you.' }).waitFor();
    await page.locator('h1:focus', { hasText: 'Inbox' }).waitFor();
  });

  it('refuses with a reason, which the client reads', async () => {
    const [answer] = await ask('dan');
    await shows('dan');
    await page.keyboard.press('r');
    await page.locator('.asking input:focus').waitFor();
    await page.keyboard.type('not to dan, ask jo');
    await page.keyboard.press('Enter');
    expect(await answer)
      .to.match(/^error: .*APPROVAL_DENIED/s)
      .and.include('not to dan, ask jo');
    await page.locator('.empty').waitFor();
  });

  it('filters, selects several and decides them together', async () => {
    const [eve, ada, eli] = await ask('eve-1', 'ada', 'eve-2');
    await shows('eve-1');
    await page.keyboard.press('/');
    await page.keyboard.type('eve');
    await row('ada').waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+X');
    await page.locator('.many', { hasText: '2 selected' }).waitFor();
    await page.keyboard.press('a');
    await page.locator('.asking', { hasText: 'Let 2 calls run once each?' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await Promise.all([eve, eli])).to.match(/eve-1.*eve-2/s);
    await page.locator('.toast', { hasText: '2 calls approved.' }).waitFor();
    await page.keyboard.press('Escape');
    await row('ada').waitFor();
    expect((await waiting()).map(({ shown }) => shown.parameters['to'])).to.deep.equal(['ada']);
    await page.keyboard.press('x');
    await page.locator('.many', { hasText: '1 selected' }).waitFor();
    await page.keyboard.press('r');
    await page.locator('.asking input:focus').waitFor();
    await page.keyboard.press('Enter');
    expect(await ada).to.match(/^error: .*APPROVAL_DENIED/s);
  });

  it('changes the parameters of a call, and approves those that it shows then', async () => {
    const [fay] = await ask('fay');
    await shows('fay');
    await page.keyboard.press('Enter');
    await tabTo('Change …');
    await page.keyboard.press('Enter');
    await page.locator('dialog textarea').waitFor();
    await tabTo('', 'dialog textarea');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('{"amount": 2, "to": "fay"}');
    await page.keyboard.press('Tab');
    await tabTo('Ask with these');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    const [next] = await waiting();
    expect(next?.shown.parameters).to.deep.equal({ amount: 2, to: 'fay' });
    expect(await fay)
      .to.match(/^error: .*APPROVAL_DENIED/s)
      .and.include(String(next?.id));
    await page.waitForURL(new RegExp(`${next?.id}$`));
    await page.locator('.approval .parameters', { hasText: '2' }).waitFor();
    await page.keyboard.press('a');
    await page.locator('.asking button[type=submit]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.empty').waitFor();
    expect(await server.model.call('pay_invoice', { amount: 2, to: 'fay' })).to.include('"paid":2');
  });

  it('lets a call go that was decided elsewhere, and says by whom', async () => {
    const [gil, hal] = await ask('gil', 'hal');
    await shows('gil');
    const record = (await waiting()).find(({ shown }) => shown.parameters['to'] === 'gil');
    await server.kernel.approvals.decide(String(record?.id), { approve: true, by: { way: 'library', name: 'ann' } });
    expect(await gil).to.include('"to":"gil"');
    await row('gil').waitFor({ state: 'detached' });
    await page.locator('.approval .callout', { hasText: 'by ann (library)' }).waitFor();
    await page.keyboard.press('j');
    await rowHasFocus('hal');
    await shows('hal');
    await page.keyboard.press('r');
    await page.locator('.asking input:focus').waitFor();
    await page.keyboard.press('Enter');
    expect(await hal).to.match(/^error: /);
  });

  it('logs out, and lets the session in no more', async () => {
    await tabTo('Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/login$/);
    await page.goto(server.address);
    await page.waitForURL(/\/console\/login$/);
    await page.locator('input[name=code]:focus').waitFor();
    await page.keyboard.type(server.code);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'does not count' }).waitFor();
  });
});
