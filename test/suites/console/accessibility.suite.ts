import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { ApprovalDetails } from '../../../kernel/index.ts';
import { builtPage } from '../../plugins/console/page/built-page.ts';
import { demoRecords } from '../../plugins/console/page/demo-records.ts';
import { startPageServer } from '../../plugins/console/page/page-server.ts';
import { madeRecord, PageWorld } from '../../plugins/console/page/page-world.ts';
import { type OwnBrowser, startBrowser } from './browser.ts';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

const worlds: Readonly<Record<string, () => readonly ApprovalDetails[]>> = {
  empty: () => [],
  'with the records of a day': demoRecords,
  'with 1,000 records': () => Array.from({ length: 1000 }, (_, index) => madeRecord(index)),
  'with an argument of 200 kB': () => [
    madeRecord(1, { shown: { description: 'Writes.', parameters: { text: 'word '.repeat(40_000) }, identity: {} } }),
  ],
};

describe('the accessibility of the inbox', () => {
  let assets: string;
  let own: OwnBrowser;
  let browser: Browser;
  let axe: string;

  before(async () => {
    assets = await builtPage();
    own = await startBrowser();
    browser = own.browser;
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });
  after(() => own?.close());

  const violations = async (page: Page): Promise<readonly string[]> => {
    await page.evaluate(axe);
    const result = (await page.evaluate(
      'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] })',
    )) as AxeResult;
    return result.violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 2).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  };

  const looks = [
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const;
  // The rows of many records are alike: one width of each scheme.
  for (const [name, records] of Object.entries(worlds))
    for (const [colorScheme, width] of name.includes('1,000') ? [looks[0], looks[3]] : looks)
      it(`has nothing that axe finds ${name}, ${colorScheme}, ${width} px wide`, async () => {
        const server = await startPageServer(new PageWorld(records()), assets);
        const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
        try {
          await page.goto(`${server.address}/console`);
          const ready = name === 'empty' ? '.empty' : width === 360 ? '.inbox-row' : '.approval-head';
          await page.locator(ready).first().waitFor();
          expect(await violations(page)).to.deep.equal([]);
          if (name === 'empty') return;
          await page.locator('.inbox-row a').first().click();
          await page.locator('.approval-head').waitFor();
          await page.keyboard.press('r');
          await page.locator('.asking').waitFor();
          expect(await violations(page)).to.deep.equal([]);
        } finally {
          await page.close();
          await server.stop();
        }
      });
});
