import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { assetsFolder } from '../../../plugins/console/assets.ts';
import { builtPage } from '../../plugins/console/page/built-page.ts';
import { type OwnBrowser, startBrowser } from './browser.ts';

const pictures = 'plugins/console/pictures';
const trees = 'test/suites/console/pictures';
const now = '2026-11-30T09:41:00Z';
const size = { width: 1280, height: 800 };
/** Pixels of a picture for each one of the page, so that texts stay sharp. */
const scale = 1.5;
/** Limit of a picture, because each reader of a guide loads it. */
const maxBytes = 80_000;
const isWritten = process.env['UPDATE_SNAPSHOTS'] === '1';

/** Ways from the inbox to each view. */
const views: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  inbox: async (page) => {
    await page.locator('.approval-head h2', { hasText: 'shop_refund_order' }).waitFor();
  },
  call: async (page) => {
    await follow(page, 'Calls');
    await page
      .getByRole('row', { name: /shop_refund_order completed/ })
      .getByRole('link')
      .click();
    await page.getByRole('heading', { name: 'Stages' }).waitFor();
  },
  sources: async (page) => {
    await follow(page, 'Sources');
    await page.getByRole('heading', { name: '2 changes to accept' }).waitFor();
  },
};

describe('the pictures of the console', () => {
  let demo: Demo;
  let own: OwnBrowser;
  let page: Page;

  before(async () => {
    const [built, fresh] = await Promise.all(
      [assetsFolder(), await builtPage()].map((folder) => readFile(path.join(folder, 'assets.json'), 'utf8')),
    );
    expect(built, 'the built page is not that of the source: "npm run build" first').to.equal(fresh);
    demo = await startDemo();
    own = await startBrowser();
    page = await own.browser.newPage({ viewport: size, deviceScaleFactor: scale, timezoneId: 'UTC', reducedMotion: 'reduce' });
    await page.clock.setFixedTime(now);
    await page.goto(demo.address);
    await page.getByLabel('One-time code').fill(demo.code);
    await page.getByRole('button', { name: 'Log in' }).click();
    if (isWritten) for (const folder of [pictures, trees]) await mkdir(folder, { recursive: true });
  });
  after(async () => {
    await own?.close();
    await demo?.stop();
  });

  for (const [name, open] of Object.entries(views))
    describe(`of the ${name}`, () => {
      before(async () => {
        await page.emulateMedia({ colorScheme: 'light' });
        await open(page);
      });

      it('shows the page as it is now', async () => {
        const file = path.join(trees, `${name}.yaml`);
        const tree = `${withoutIds(await page.locator('body').ariaSnapshot())}\n`;
        if (isWritten) await writeFile(file, tree);
        expect(tree, `differs from ${file}; UPDATE_SNAPSHOTS=1 writes it and the pictures`).to.equal(await readFile(file, 'utf8'));
      });

      for (const colorScheme of ['light', 'dark'] as const)
        it(`has the size of the page, and is small, ${colorScheme}`, async () => {
          const file = path.join(pictures, `${name}${colorScheme === 'dark' ? '-dark' : ''}.webp`);
          await page.emulateMedia({ colorScheme });
          const picture = await taken(page);
          if (isWritten) await writeFile(file, picture);
          const written = await readFile(file);
          expect(await sizeOf(own, written)).to.deep.equal(await sizeOf(own, picture));
          expect(written.length).to.be.lessThan(maxBytes);
        });
    });
});

/** A running demo. */
interface Demo {
  readonly address: string;
  readonly code: string;
  stop(): Promise<unknown>;
}

/** Starts the server with the demo data. Throws with its output when it ends instead. */
async function startDemo(): Promise<Demo> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'fixtures/console/demo.ts', now], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    const [, address, code] = /^Console: (\S+) +Code: (\S+)/.exec(line) ?? [];
    if (address !== undefined && code !== undefined) {
      const stop = (): Promise<unknown> => {
        child.kill();
        return ended;
      };
      return { address, code, stop };
    }
    lines.push(line);
  }
  throw new Error(`The demo has ended:\n${lines.join('\n')}`);
}

async function follow(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Returns a tree with the same text for all ids and digests, which differ from run to run. */
function withoutIds(tree: string): string {
  return tree
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '(call id)')
    .replaceAll(/\b[0-9a-z]{10}-[0-9a-f]{10}\b/g, '(record id)')
    .replaceAll(/\b([0-9a-f]{64}|[0-9a-f]{32})\b/g, '(digest)');
}

/** Takes a picture as WebP, which playwright cannot. */
async function taken(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 55, clip: { x: 0, y: 0, ...size, scale } });
  await session.detach();
  return Buffer.from(data, 'base64');
}

/** Decodes a picture. Returns its width and height. */
async function sizeOf({ browser }: OwnBrowser, picture: Buffer): Promise<unknown> {
  const page = await browser.newPage();
  try {
    const image = `data:image/webp;base64,${picture.toString('base64')}`;
    return await page.evaluate(
      `(async (image) => { image.src = '${image}'; await image.decode(); return [image.naturalWidth, image.naturalHeight]; })(new Image())`,
    );
  } finally {
    await page.close();
  }
}
