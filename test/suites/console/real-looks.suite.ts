import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type OwnBrowser, startBrowser } from './browser.ts';
import { logIn, openPage, type RealPage } from './real-page.ts';
import { type RealServer, startRealServer } from './real-server.ts';

/** Returns the names of the controls of a page that are smaller than 24 × 24 CSS pixels. Links in a line of text are excepted (WCAG 2.5.8). */
const smallTargets = `[...document.querySelectorAll('a, button, input, select, textarea, summary, [role=button]')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches('.skip-link, p a, li a, dd a, .empty a'))
  .flatMap((element) => {
    const area = element.closest('label') ?? element;
    const { width, height } = area.getBoundingClientRect();
    return width >= 23.9 && height >= 23.9 ? [] : [element.outerHTML.slice(0, 120) + ' ' + Math.round(width) + ' x ' + Math.round(height)];
  })`;

/** Returns the lightness of the background, between 0 and 255. */
const background = `(getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part) / 3, 0)`;

describe('the looks of the console on a real server', () => {
  let own: OwnBrowser;
  let server: RealServer;
  let opened: RealPage;
  let page: Page;
  /** The pages with what each of them shows once it is there. */
  let pages: readonly (readonly [hash: string, content: string])[];

  before(async () => {
    server = await startRealServer({ waitMs: 0 });
    own = await startBrowser();
    await server.model.call('shop_read', {});
    const to = 'a person with a long name that goes on and on';
    for (const amount of [1, 2, 3]) await server.model.call('pay_invoice', { amount, to, note: 'x'.repeat(300) });
    await server.kernel.call({ tool: 'pay_invoice', parameters: { amount: 4, to } });
    await server.changeUpstream('description');
    const records = (await server.kernel.approvals.list({ status: 'waiting' })).approvals;
    void server.model.call('desk_wait', { note: 'runs on' }).catch(() => {});
    pages = [
      ['inbox', '.inbox-row'],
      [`inbox/${records[0]?.id}`, '.approval .parameters'],
      ['inbox?status=all', '.inbox-row'],
      ['calls', 'table[aria-label="Running calls"]'],
      ['tools', '.row-link'],
      ['tools/order_create', '.call-form'],
      ['sources', '.source .difference'],
      ['state', '.main h2'],
      ['accounts', '.empty, table'],
      ['secrets', '.empty, table'],
      ['problems', '.main h2, .empty'],
    ];
  });
  after(async () => {
    server?.release();
    await own?.close();
    await server?.close();
  });

  const visit = async (check: (hash: string) => Promise<void>): Promise<void> => {
    for (const [hash, content] of pages) {
      await page.goto(`${server.address}#/${hash}`);
      await page.locator(content).first().waitFor();
      await check(hash);
    }
  };
  const looks = [
    ['dark', { colorScheme: 'dark' }],
    ['a phone, light', { viewport: { width: 360, height: 640 }, colorScheme: 'light', hasTouch: true, isMobile: true }],
    ['a phone, dark', { viewport: { width: 360, height: 640 }, colorScheme: 'dark', hasTouch: true, isMobile: true }],
  ] as const;
  for (const [name, options] of looks)
    it(`fit, have targets of 24 px and no error: ${name}`, async () => {
      opened = await openPage(own.browser, options);
      page = opened.page;
      try {
        await page.goto(`${server.address}/login`);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 'login').to.be.at.most(0);
        expect(await page.evaluate(smallTargets), 'login').to.deep.equal([]);
        await logIn(page, server, await server.newCode());
        await visit(async (hash) => {
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), hash).to.be.at.most(0);
          expect(await page.evaluate(smallTargets), hash).to.deep.equal([]);
          const lightness = Number(await page.evaluate(background));
          if (options.colorScheme === 'dark') expect(lightness, hash).to.be.below(60);
          else expect(lightness, hash).to.be.above(200);
        });
        expect(opened.failures).to.deep.equal([]);
      } finally {
        await page.close();
      }
    });

  it('become dark and light again by their button, also after the page is loaded again', async () => {
    opened = await openPage(own.browser, { colorScheme: 'light' });
    page = opened.page;
    try {
      await logIn(page, server, await server.newCode());
      expect(Number(await page.evaluate(background))).to.be.above(200);
      await page.getByRole('button', { name: 'Dark colours' }).click();
      expect(Number(await page.evaluate(background))).to.be.below(60);
      await page.reload();
      await page.getByRole('button', { name: 'Light colours' }).waitFor();
      expect(Number(await page.evaluate(background))).to.be.below(60);
      await page.getByRole('button', { name: 'Light colours' }).click();
      expect(Number(await page.evaluate(background))).to.be.above(200);
      expect(opened.failures).to.deep.equal([]);
    } finally {
      await page.close();
    }
  });

  it('let a call be approved on a phone by touch', async () => {
    opened = await openPage(own.browser, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    page = opened.page;
    try {
      await logIn(page, server, await server.newCode());
      const before = await page.locator('.inbox-row').count();
      await page.locator('.inbox-row a').first().tap();
      await page.getByRole('button', { name: 'Approve …' }).tap();
      await page.locator('.asking').getByRole('button', { name: 'Approve' }).tap();
      await page.locator('.toast', { hasText: 'pay_invoice approved.' }).waitFor();
      await page.locator('.inbox-row').first().waitFor();
      expect(await page.locator('.inbox-row').count()).to.equal(before - 1);
      expect(opened.failures).to.deep.equal([]);
    } finally {
      await page.close();
    }
  });
});
