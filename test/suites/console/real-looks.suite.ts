import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { type OwnBrowser, startBrowser } from './browser.ts';
import { logIn, openPage, type RealPage } from './real-page.ts';
import { type RealServer, startRealServer } from './real-server.ts';

/**
 * Returns the controls of a page that a finger hits in less than 24 × 24 CSS pixels: neither their box, with its label, nor what takes clicks for them
 * is so large. Links in a line of text are excepted (WCAG 2.5.8).
 */
const smallTargets = `[...document.querySelectorAll('a, button, input, select, textarea, summary')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) && !element.matches('.skip-link, p a, li a, dd a'))
  .flatMap((element) => {
    const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
    if (width > 23.9 && height > 23.9) return [];
    element.scrollIntoView({ block: 'center' });
    const { left, top, width: ownWidth, height: ownHeight } = element.getBoundingClientRect();
    const hits = [-11.9, 11.9].every((x) => [-11.9, 11.9].every((y) =>
      element.contains(document.elementFromPoint(left + ownWidth / 2 + x, top + ownHeight / 2 + y))));
    return hits ? [] : [element.outerHTML.slice(0, 120) + ' ' + Math.round(width) + ' x ' + Math.round(height)];
  })`;

/** Returns the lightness of the background, between 0 and 255. */
const background = `(getComputedStyle(document.documentElement).backgroundColor.match(/[\\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part) / 3, 0)`;

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
    for (const amount of [1, 2, 3]) await server.model.call('pay_invoice', { amount, to: `${to} ${'x'.repeat(300)}` });
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
      // Rows have no size before they are drawn (content-visibility).
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
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

  const becomes = (isLight: boolean): Promise<true> =>
    until(async () => (Number(await page.evaluate(background)) > 200 === isLight ? true : undefined));

  it('become dark and light again by their button, also after the page is loaded again', async () => {
    opened = await openPage(own.browser, { colorScheme: 'light' });
    page = opened.page;
    try {
      await logIn(page, server, await server.newCode());
      await becomes(true);
      await page.getByRole('button', { name: 'Dark colours' }).click();
      await becomes(false);
      await page.reload();
      await page.getByRole('button', { name: 'Light colours' }).waitFor();
      await becomes(false);
      await page.getByRole('button', { name: 'Light colours' }).click();
      await becomes(true);
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
      await page.locator('.inbox-row').nth(2).waitFor();
      expect(await page.locator('.inbox-row').count()).to.equal(3);
      await page.locator('.inbox-row a').first().tap();
      await page.getByRole('button', { name: 'Approve …' }).tap();
      await page.locator('.asking').getByRole('button', { name: 'Approve' }).tap();
      await page.locator('.toast', { hasText: 'pay_invoice approved.' }).waitFor();
      await page.locator('.inbox-row').nth(1).waitFor();
      expect(await page.locator('.inbox-row').count()).to.equal(2);
      expect(opened.failures).to.deep.equal([]);
    } finally {
      await page.close();
    }
  });
});
