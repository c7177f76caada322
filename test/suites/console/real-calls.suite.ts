import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type OwnBrowser, startBrowser } from './browser.ts';
import { logIn, openPage, type RealPage } from './real-page.ts';
import { type RealServer, startRealServer } from './real-server.ts';

describe('calls on the console of a real server', () => {
  let own: OwnBrowser;
  let server: RealServer;
  let opened: RealPage;
  let page: Page;

  /** Opens a server whose held calls wait for so long, and logs in. */
  const begin = async (waitMs: number): Promise<void> => {
    server = await startRealServer({ waitMs });
    opened = await openPage(own.browser);
    page = opened.page;
    await logIn(page, server, server.code);
  };
  before(async () => {
    own = await startBrowser();
  });
  after(() => own?.close());

  const go = (hash: string) => page.goto(`${server.address}#/${hash}`);
  const result = () => page.getByRole('region', { name: 'result as JSON', exact: true });
  const fillOrder = async (item: string): Promise<void> => {
    await go('tools/order_create');
    await page.getByLabel('item').fill(item);
    await page.getByLabel('count').fill('3');
  };
  const approveOpened = async (): Promise<void> => {
    await page.locator('.approval .parameters').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
  };

  describe('that wait', () => {
    before(() => begin(240_000));
    after(() => server?.close());
    afterEach(() => expect(opened.failures).to.deep.equal([]));

    it('are made by the form of a schema, which says what does not fit before it sends', async () => {
      await go('tools/order_create');
      await page.getByLabel('item').fill('x');
      await page.getByLabel('count').fill('12');
      await page.getByRole('button', { name: 'Call as a model' }).click();
      await page.getByText('Expected at most 9.').waitFor();
      expect(await page.getByLabel('delivery').locator('option').allInnerTexts()).to.include.members(['post', 'courier']);
      expect((await server.kernel.approvals.list()).approvals).to.deep.equal([]);
    });

    it('say where they wait as a model, and end after the approval while their person is on another page', async () => {
      await fillOrder('lamp');
      await page.getByRole('button', { name: 'Call as a model' }).click();
      await page.getByText('The call waits for a person').waitFor();
      await page.getByRole('link', { name: 'Open the waiting approval' }).click();
      await page.locator('.approval .parameters', { hasText: 'lamp' }).waitFor();
      const [record] = (await server.kernel.approvals.list({ status: 'waiting' })).approvals;
      expect([record?.caller, record?.shown.parameters]).to.deep.equal(['console:operator', { item: 'lamp', count: 3 }]);
      await approveOpened();
      await page.locator('.toast', { hasText: 'order_create approved.' }).waitFor();
      await go('tools/order_create');
      expect(await page.getByLabel('item').inputValue()).to.equal('lamp');
      expect(await result().innerText()).to.include('"item": "lamp"');
      await page.getByText('a model, caller console:operator').waitFor();
    });

    it('say with which reason they were refused, beside the way to the record', async () => {
      await fillOrder('bowl');
      await page.getByRole('button', { name: 'Call as a model' }).click();
      await page.getByRole('link', { name: 'Open the waiting approval' }).waitFor();
      const [record] = (await server.kernel.approvals.list({ status: 'waiting' })).approvals;
      const by = { way: 'library', name: 'ann' };
      await server.kernel.approvals.decide(String(record?.id), { approve: false, reason: 'no bowls', by });
      await page.locator('.callout', { hasText: 'APPROVAL_DENIED' }).filter({ hasText: 'no bowls' }).waitFor();
      await page.getByRole('link', { name: 'Open the record' }).click();
      await page.waitForURL(new RegExp(`${record?.id}$`));
    });

    it('run at once as the operator, after a question, and are shown as such', async () => {
      await fillOrder('desk');
      await page.getByText('As operator', { exact: true }).click();
      await page.getByRole('button', { name: 'Call as operator' }).click();
      await page.getByRole('button', { name: 'Run it now' }).click();
      await result().filter({ hasText: '"item": "desk"' }).waitFor();
      await page.getByText('operator, caller default').waitFor();
      expect((await server.kernel.approvals.list({ status: 'waiting' })).approvals).to.deep.equal([]);
      await page.getByText('As a model', { exact: true }).click();
    });

    it('appear while they run with their stage, and end in the list with a trace id that their page shows', async () => {
      await go('calls');
      const running = page.locator('table[aria-label="Running calls"] tr');
      const ended = page.locator('table[aria-label="Ended calls"] tr');
      const noted = server.model.call('desk_wait', { note: 'first' });
      await running.filter({ hasText: 'desk_wait' }).filter({ hasText: 'runs' }).waitFor();
      const paid = server.model.call('pay_invoice', { amount: 5, to: 'ida' });
      await running.filter({ hasText: 'pay_invoice' }).filter({ hasText: 'waits for approval' }).waitFor();
      const [record] = (await server.kernel.approvals.list({ status: 'waiting' })).approvals;
      await server.kernel.approvals.decide(String(record?.id), { approve: true, by: { way: 'library', name: 'ann' } });
      expect(await paid).to.include('"to":"ida"');
      await ended.filter({ hasText: 'pay_invoice' }).filter({ hasText: 'completed' }).waitFor();
      await running.filter({ hasText: 'desk_wait' }).locator('a').click();
      await page.locator('.stages li', { hasText: 'so far' }).waitFor();
      server.release();
      expect(await noted).to.include('"noted":"first"');
      await page.locator('.badge', { hasText: 'completed' }).waitFor();
      await page.goBack();
      await ended.filter({ hasText: 'desk_wait' }).waitFor();
      expect(await page.locator('table[aria-label="Running calls"]').count()).to.equal(0);
      await ended.filter({ hasText: 'pay_invoice' }).locator('a').click();
      await page.locator('.stages li', { hasText: 'Approval' }).waitFor();
      await page.locator('li', { hasText: 'Approved by ann' }).waitFor();
      const [traceId, callId] = await page.locator('.copy-text .mono').allInnerTexts();
      expect(traceId).to.match(/^[0-9a-f]{32}$/);
      expect(page.url()).to.include(encodeURIComponent(String(callId)));
      await go(`calls?text=${traceId}`);
      await page.getByText('1 call shown').waitFor();
    });
  });

  describe('that are told to call again', () => {
    before(() => begin(0));
    after(() => server?.close());
    afterEach(() => expect(opened.failures).to.deep.equal([]));

    it('say that they are decided, and are made again for the result', async () => {
      await fillOrder('sofa');
      await page.getByRole('button', { name: 'Call as a model' }).click();
      await page.getByText('APPROVAL_REQUIRED').first().waitFor();
      await page.getByRole('link', { name: 'Open the waiting approval' }).click();
      await page.locator('.approval .parameters', { hasText: 'sofa' }).waitFor();
      await approveOpened();
      await page.locator('.toast', { hasText: 'order_create approved.' }).waitFor();
      await go('tools/order_create');
      await page.getByRole('button', { name: 'Call again for the result' }).click();
      await result().filter({ hasText: '"item": "sofa"' }).waitFor();
    });

    it('say that they were refused while their person looks on', async () => {
      await fillOrder('vase');
      await page.getByRole('button', { name: 'Call as a model' }).click();
      await page.getByRole('link', { name: 'Open the waiting approval' }).waitFor();
      const [record] = (await server.kernel.approvals.list({ status: 'waiting' })).approvals;
      await server.kernel.approvals.decide(String(record?.id), { approve: false, by: { way: 'library', name: 'ann' } });
      await page.getByText('Refused by ann (library).').waitFor();
      expect(await page.getByRole('button', { name: 'Call again for the result' }).count()).to.equal(0);
    });
  });
});
