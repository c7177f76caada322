import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { builtPage } from '../../plugins/console/page/built-page.ts';
import { demoRecords } from '../../plugins/console/page/demo-records.ts';
import { type PageServer, startPageServer } from '../../plugins/console/page/page-server.ts';
import { madeRecord, PageWorld } from '../../plugins/console/page/page-world.ts';
import { until } from '../../support/until.ts';
import { type OwnBrowser, startBrowser } from './browser.ts';

describe('the inbox in a browser', () => {
  let assets: string;
  let own: OwnBrowser;
  let browser: Browser;
  let world: PageWorld;
  let server: PageServer;
  let page: Page;
  const failures: string[] = [];

  before(async () => {
    assets = await builtPage();
    own = await startBrowser();
    browser = own.browser;
  });
  after(() => own?.close());

  const open = async (records: ConstructorParameters<typeof PageWorld>[0], width = 1280): Promise<void> => {
    world = new PageWorld(records);
    server = await startPageServer(world, assets);
    page = await browser.newPage({ viewport: { width, height: width === 360 ? 640 : 800 } });
    page.on('pageerror', (error) => failures.push(String(error)));
    // An answer that refuses is expected; a violation of the content security policy is not.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) failures.push(message.text());
    });
    await page.goto(`${server.address}/console`);
  };
  afterEach(async () => {
    await page.close();
    await server.stop();
    expect(failures.splice(0)).to.deep.equal([]);
  });

  const three = [madeRecord(1, { tool: 'first_tool' }), madeRecord(2, { tool: 'second_tool' }), madeRecord(3, { tool: 'third_tool' })];
  const title = (): Promise<string> => page.locator('.approval h2').innerText();
  const shows = (tool: string): Promise<void> => page.locator('.approval h2', { hasText: tool }).waitFor();
  const focused = (): Promise<string> => page.evaluate('document.activeElement.innerText');

  it('is decided by keyboard alone, in two steps, and goes on with the next call', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('j');
    await shows('second_tool');
    await page.keyboard.press('a');
    await page.locator('.asking button[type=submit]:focus').waitFor();
    expect(world.posted).to.deep.equal([]);
    await page.keyboard.press('Enter');
    await shows('third_tool');
    const [id, digest] = [three[1]?.id, three[1]?.digest];
    expect(world.posted).to.deep.equal([{ path: `approvals/${id}/decide`, body: { approve: true, digest } }]);
    await page.locator('.inbox-row a:focus', { hasText: 'third_tool' }).waitFor();
    await page.locator('.toast', { hasText: 'second_tool approved.' }).getByRole('link', { name: 'Show it' }).click();
    await page.locator('.approval .callout', { hasText: 'It has not run yet' }).waitFor();
    expect(await page.locator('.toast').count()).to.equal(0);
  });

  it('reads the details after Enter, and goes back to the list with Escape', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('j');
    await page.locator('.inbox-row a:focus', { hasText: 'second_tool' }).waitFor();
    await shows('second_tool');
    await page.keyboard.press('Enter');
    await page.locator('.approval h2:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.inbox-row a:focus', { hasText: 'second_tool' }).waitFor();
  });

  it('leaves a begun decision with Escape and decides nothing', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('r');
    await page.locator('.asking input:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.decision button:focus', { hasText: 'Refuse' }).waitFor();
    expect(world.posted).to.deep.equal([]);
  });

  it('refuses with a typed reason for a while', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('r');
    await page.locator('.asking input:focus').waitFor();
    await page.keyboard.type('ask again /j');
    await page.locator('.asking select').selectOption('tool');
    await page.locator('.asking input').press('Enter');
    await shows('second_tool');
    expect(world.posted[0]?.body).to.deep.equal({ approve: false, digest: three[0]?.digest, reason: 'ask again /j', hold: 'tool' });
  });

  it('decides a filtered selection with one question that says how many', async () => {
    await open([...three, madeRecord(4, { tool: 'other' })]);
    await shows('first_tool');
    await page.keyboard.press('/');
    await page.keyboard.type('_tool');
    await page.locator('.inbox-row', { hasText: 'other' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+X');
    await page.locator('.many', { hasText: '3 selected' }).waitFor();
    await page.keyboard.press('a');
    await page.locator('.asking', { hasText: 'Let 3 calls run once each?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.toast', { hasText: '3 calls approved.' }).waitFor();
    expect(world.records.get('ap-0004')?.status).to.equal('waiting');
  });

  it('says that another person was first, and goes on', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('a');
    await page.locator('.asking').waitFor();
    const by = { way: 'webhook', name: 'ann' };
    world.records.set('ap-0001', { ...madeRecord(1), status: 'refused', decisions: [{ approve: false, by, at: Date.now() }] });
    await page.keyboard.press('Enter');
    await page.locator('.toast', { hasText: 'was decided by ann' }).waitFor();
    await page.locator('.callout', { hasText: 'Refused by ann (webhook).' }).waitFor();
    await page.keyboard.press('j');
    await shows('second_tool');
  });

  it('ends a begun decision when the call changes meanwhile', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('a');
    await page.locator('.asking').waitFor();
    world.records.set('ap-0001', madeRecord(1, { tool: 'first_tool', digest: 'another' }));
    server.emit('approvals');
    await page.locator('.callout.warn', { hasText: 'has changed since you opened it' }).waitFor();
    expect(await page.locator('.asking').count()).to.equal(0);
  });

  it('stays at a call that is opened in the moment in which the list appears', async () => {
    await open(three);
    await shows('first_tool');
    await page.addInitScript(`new MutationObserver((changes, observer) => {
      if (document.querySelector('.inbox-row') === null) return;
      observer.disconnect();
      location.hash = '#/inbox/ap-0003';
    }).observe(document, { childList: true, subtree: true })`);
    await page.goto(`${server.address}/console`);
    await shows('third_tool');
  });

  it('keeps focus and selection where they were when a call arrives, and says that it did', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.locator('.many').waitFor();
    const before = await focused();
    world.records.set('ap-new', madeRecord(0, { id: 'ap-new', tool: 'new_tool' }));
    server.emit('approvals');
    await page.locator('.inbox-row', { hasText: 'new_tool' }).waitFor();
    await page.locator('[aria-live]', { hasText: 'new_tool of assistant waits' }).waitFor({ state: 'attached' });
    expect((await focused()).split('\n')[0]).to.equal(before.split('\n')[0]);
    expect(await title()).to.equal('second_tool');
    expect(await page.locator('.inbox-row input:checked').count()).to.equal(1);
  });

  it('gives the focus of a row that leaves to its neighbour', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('j');
    await page.locator('.inbox-row a:focus', { hasText: 'second_tool' }).waitFor();
    world.records.delete('ap-0002');
    server.emit('approvals');
    await page.locator('.inbox-row a:focus', { hasText: 'third_tool' }).waitFor();
  });

  it('shows markup and hidden characters of a caller as text', async () => {
    const parameters = { text: '<img src=x onerror=alert(1)>\u202e', more: 'two\nlines\u0007' };
    await open([madeRecord(1, { tool: 'a_tool', shown: { description: '<b>', parameters, identity: {} } })]);
    await shows('a_tool');
    const text = await page.locator('.parameters').innerText();
    expect(text).to.include('<img src=x onerror=alert(1)>\\u202e').and.include('lines\\u0007');
    expect(await page.locator('.approval img').count()).to.equal(0);
  });

  it('shows 200 kB of a text whole, in one node', async () => {
    const text = 'word '.repeat(40_000);
    await open([madeRecord(1, { shown: { description: 'Writes.', parameters: { text }, identity: {} } })]);
    await page.locator('.parameters pre').waitFor();
    const nodes = 'document.querySelector(".parameters pre").childNodes.length';
    expect(await page.evaluate(nodes)).to.equal(1);
    expect(await page.locator('.parameters pre').textContent()).to.have.length(text.length);
  });

  it('shows what a reading has found though events come faster than it ends', async () => {
    await open(three);
    await shows('first_tool');
    const requests: (() => void)[] = [];
    await page.route(/api\/approvals\?/, async (route) => {
      await new Promise<void>((resolve) => requests.push(resolve));
      await route.continue();
    });
    world.records.set('ap-new', madeRecord(0, { id: 'ap-new', tool: 'new_tool' }));
    // With each event the page reads the overview as well: then it has seen the event.
    const emit = () => Promise.all([page.waitForResponse(/overview$/), server.emit('approvals')]);
    await emit();
    await until(() => requests[0]);
    await emit();
    requests[0]?.();
    await page.locator('.inbox-row', { hasText: 'new_tool' }).waitFor();
    await until(() => requests[1]);
    expect(requests).to.have.length(2);
    requests[1]?.();
    await page.unroute(/api\/approvals\?/);
  });

  it('does not open a decided call again while the list with it is still being read', async () => {
    await open([madeRecord(1, { tool: 'only_tool' })]);
    await shows('only_tool');
    const lists: (() => void)[] = [];
    await page.route(/api\/approvals\?/, async (route) => {
      await new Promise<void>((resolve) => lists.push(resolve));
      await route.continue();
    });
    await page.keyboard.press('a');
    await page.locator('.asking button[type=submit]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.empty', { hasText: 'Nothing waits for you.' }).waitFor();
    expect(await page.locator('.approval').count()).to.equal(0);
    await page.locator('h1:focus', { hasText: 'Inbox' }).waitFor();
    await page.unroute(/api\/approvals\?/);
    for (const end of lists) end();
  });

  it('opens the first call that waits when the list of all had another one first', async () => {
    await open([madeRecord(0, { tool: 'decided_tool', status: 'approved' }), ...three]);
    await shows('first_tool');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.locator('.inbox-row a', { hasText: 'decided_tool' }).click();
    await shows('decided_tool');
    await page.getByRole('button', { name: 'Waiting' }).click();
    await shows('first_tool');
    expect(page.url()).to.match(/ap-0001$/);
  });

  it('keeps a typed reason while another call is read, and when the page reads again', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('r');
    const reason = page.locator('.asking input');
    await reason.fill('not to this address');
    await page.locator('.asking select').selectOption('tool');
    world.records.set('ap-new', madeRecord(0, { id: 'ap-new', tool: 'new_tool' }));
    server.emit('approvals');
    await page.locator('.inbox-row', { hasText: 'new_tool' }).waitFor();
    expect(await reason.inputValue()).to.equal('not to this address');
    await page.locator('.inbox-row a', { hasText: 'second_tool' }).click();
    await shows('second_tool');
    await page.keyboard.press('r');
    await page.locator('.asking input:focus').waitFor();
    expect(await reason.inputValue()).to.equal('');
    await page.keyboard.press('Escape');
    await page.locator('.inbox-row a', { hasText: 'first_tool' }).click();
    await shows('first_tool');
    await page.keyboard.press('r');
    await page.locator('.asking input:focus').waitFor();
    expect([await reason.inputValue(), await page.locator('.asking select').inputValue()]).to.deep.equal(['not to this address', 'tool']);
    world.records.set('ap-0001', madeRecord(1, { tool: 'first_tool', digest: 'another' }));
    server.emit('approvals');
    await page.locator('.asking').waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    await page.locator('.asking input:focus').waitFor();
    expect(await reason.inputValue()).to.equal('');
  });

  it('keeps changed parameters behind Escape, and drops them with Cancel', async () => {
    await open(three);
    await shows('first_tool');
    const text = page.locator('dialog textarea');
    const change = page.getByRole('button', { name: 'Change …' });
    await change.click();
    await text.fill('{"line": "half');
    await page.keyboard.press('Escape');
    await text.waitFor({ state: 'detached' });
    await change.click();
    expect(await text.inputValue()).to.equal('{"line": "half');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await change.click();
    expect(await text.inputValue()).to.include('"item 1"');
  });

  it('keeps the selection and the reason for it when the server cannot be reached', async () => {
    await open(three);
    await shows('first_tool');
    await page.keyboard.press('Shift+X');
    await page.keyboard.press('r');
    await page.locator('.asking input').fill('not now');
    await page.route(/\/decide$/, (route) => route.abort());
    await page.keyboard.press('Enter');
    await page.locator('.toast.danger', { hasText: 'cannot be reached' }).waitFor();
    await page.unroute(/\/decide$/);
    await page.locator('.asking input').press('Enter');
    await page.locator('.toast', { hasText: '3 calls refused.' }).waitFor();
    expect(world.posted.at(-1)?.body).to.include({ reason: 'not now' });
  });

  for (const keepsApprovals of [true, false])
    it(`says what to do when it is empty, ${keepsApprovals ? 'waiting for calls' : 'without the plugin that keeps approvals'}`, async () => {
      await open([]);
      world.keepsApprovals = keepsApprovals;
      await page.reload();
      await page.locator('.empty', { hasText: keepsApprovals ? 'appears here by itself' : 'toolkit/plugins/approvals' }).waitFor();
    });

  it('says when calls that need approval never wait in it', async () => {
    await open([]);
    world.unaskedTools = 3;
    await page.reload();
    await page.locator('.empty', { hasText: '3 tools that require approval will not wait here' }).waitFor();
  });

  it('is a list, then details, on a phone, and never scrolls sideways', async () => {
    await open(demoRecords(), 360);
    const sideways = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    await page.locator('.inbox-row a').first().click();
    await shows('gmail_send_message');
    expect(await page.locator('.inbox-row').count()).to.equal(0);
    expect(await sideways()).to.equal(0);
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await page.locator('.inbox-row').first().waitFor();
    expect(await sideways()).to.equal(0);
  });

  it('opens another page by the menu of a phone', async () => {
    await open(demoRecords(), 360);
    await page.getByRole('button', { name: 'Pages' }).click();
    await page.getByRole('link', { name: 'Problems' }).click();
    await page.locator('h1', { hasText: 'Problems' }).waitFor();
    expect(await focused()).to.equal('Problems');
  });
});
