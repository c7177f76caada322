/** Makes the documentation site, for a server that has it in a sub folder, and opens it in Chromium. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { referencePages } from '../../plugins/toolkit/docs/reference-pages.ts';
import { loadShippedTools } from '../../plugins/toolkit/docs/shipped-tools.ts';
import { buildSite } from '../../plugins/toolkit/docs/site/build-site.ts';
import { sitePages } from '../../plugins/toolkit/docs/site/site-pages.ts';
import { siteSource } from '../../plugins/toolkit/docs/site/site-source.ts';
import { type Browser, type Page, startChromium } from './site/chromium.ts';
import { crawl } from './site/crawl.ts';
import { hostileText, hostileTool } from './site/hostile-tool.ts';
import { type StaticServer, staticServer } from './site/static-server.ts';

const root = path.resolve('.');
const base = '/toolkit/';

/** A query, the first hit, the title of its page, and words of the place that it leads to. */
const searches: readonly { readonly query: string; readonly hit: string; readonly page: string; readonly shows: string }[] = [
  { query: 'send slack message', hit: 'slack_send_channel_message', page: '', shows: 'slack_send_channel_message' },
  { query: 'git_log', hit: 'git_log', page: '', shows: 'git_log' },
  { query: 'beforeExecute', hit: 'beforeExecute', page: 'Hooks', shows: 'beforeExecute' },
  { query: 'RATE_LIM', hit: 'RATE_LIMITED', page: 'Error codes', shows: 'too many requests' },
  { query: 'paginate.limit', hit: 'paginate.limit', page: 'Keys of definitions', shows: 'paginate.limit' },
  { query: 'hitlMinRiskLevel', hit: 'hitlMinRiskLevel', page: 'Options', shows: 'hitlMinRiskLevel' },
  { query: 'toolkit doctor', hit: 'toolkit doctor', page: 'Commands', shows: 'toolkit doctor' },
];

/** A page of each kind. */
const kinds = {
  'the front page': '',
  'a guide': 'plugins/toolkit/OPERATING.html',
  'a wide guide': 'plugins/README.html',
  'the list of tools': 'plugins/toolkit/reference/tools.html',
  'wide tables': 'plugins/toolkit/reference/options.html',
  'a tool': 'tools/core/git/git_log.html',
  'a tool with a long name': 'tools/slack/slack_send_channel_message.html',
  'a tool with hostile texts': 'hostile_echo.html',
};

const sizes = [
  [1280, 800],
  [390, 844],
] as const;

/** Colors of the ground and of the heading. */
const schemes = { light: ['rgb(255, 255, 255)', 'rgb(60, 60, 67)'], dark: ['rgb(27, 27, 31)', 'rgb(223, 223, 214)'] };
const shownColors = `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('main h1')).color]`;

describe('the site in Chromium', () => {
  const site = path.join(root, 'node_modules/.cache/site/built');
  let folder: string | undefined;
  let server: StaticServer;
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const failures: string[] = [];

  before(async () => {
    const tools = [...(await loadShippedTools(root)), await hostileTool()];
    const reference = await referencePages(root, tools);
    const pages = await sitePages(root, tools, reference);
    const options = { root, base, title: 'toolkit', description: 'Tools.', llms: reference['llms.txt'] };
    await buildSite(await siteSource(pages, options), { root, outDir: site });
    server = await staticServer(site, base);
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-chromium-'));
    browser = await startChromium(folder);
    process.stdout.write(`    ${await browser.version()}, ${pages.length} pages\n`);
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    page.on('request', (request) => requests.push(request.url()));
    page.on('response', (response) => void (response.status() >= 400 && failures.push(`${response.status()} ${response.url()}`)));
    page.on('pageerror', ({ message }) => failures.push(message));
    page.on('console', (message) => void (message.type() === 'error' && failures.push(message.text())));
    for (const list of [requests, failures]) list.splice(0);
  });
  afterEach(async () => {
    await page.close();
    expect(failures, 'errors in the console').to.deep.equal([]);
    const foreign = requests.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'));
    expect(foreign, 'requests that leave the site').to.deep.equal([]);
  });
  after(async () => {
    await browser?.close();
    server?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const open = (name: string): Promise<unknown> => page.goto(server.url + name, { waitUntil: 'networkidle0' });
  const text = async (selector: string): Promise<string> =>
    String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`))
      .replace(/[\u200B\u200D]/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  const isVisible = (selector: string): Promise<unknown> =>
    page.evaluate(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect();
      return box !== undefined && box.width > 0 && box.height > 0 && box.left >= 0 && box.left < innerWidth && box.top < innerHeight;
    })()`);

  async function search(query: string): Promise<void> {
    await page.click('.VPNavBarSearch button');
    await page.waitForSelector('#localsearch-input');
    await page.keyboard.type(query);
  }

  for (const { query, hit, page: title, shows } of searches)
    it(`finds ${hit} for "${query}"`, async () => {
      await open('');
      await search(query);
      const titles = `[...(document.querySelector('.results .result')?.querySelectorAll('.title') ?? [])].map((part) => part.textContent.trim())`;
      await page.waitForFunction(`(${titles}).at(-1) === ${JSON.stringify(hit)}`).catch(() => undefined);
      const found = (await page.evaluate(titles)) as readonly string[];
      expect(found.at(-1)).to.equal(hit);
      if (title !== '') expect(found[0]).to.equal(title);
      await page.keyboard.press('Enter');
      await page.waitForFunction(`location.hash !== '' && document.querySelector(location.hash) !== null`);
      expect(await page.evaluate(`document.querySelector(location.hash).textContent`)).to.include(shows);
    });

  it('finds an error code from a page of a tool', async () => {
    await open('tools/core/git/git_log.html');
    await search('OUTBOUND_BLOCKED');
    await page.waitForFunction(`document.querySelector('.results .result .title:last-of-type')?.textContent.includes('OUTBOUND_BLOCKED')`);
    await page.keyboard.press('Enter');
    await page.waitForFunction(`location.hash === '#outbound_blocked'`);
    expect(page.url()).to.equal(`${server.url}plugins/toolkit/reference/errors.html#outbound_blocked`);
  });

  it('says so when nothing is found', async () => {
    await open('SECURITY.html');
    await search('qqqqzzzz');
    await page.waitForFunction(`document.querySelector('.no-results')?.textContent.includes('No results')`);
  });

  for (const [kind, name] of Object.entries(kinds))
    it(`shows ${kind} in light and dark, on a screen and on a phone`, async () => {
      for (const [width, height] of sizes) {
        await page.setViewport({ width, height });
        await open(name);
        for (const [scheme, colors] of Object.entries(schemes)) {
          await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
          await page.waitForFunction(`document.documentElement.classList.contains('dark') === ${scheme === 'dark'}`);
          const seen = `${scheme}, ${width} px`;
          expect(await page.evaluate('document.documentElement.scrollWidth'), seen).to.be.at.most(width);
          expect(await isVisible('main h1'), `the heading: ${seen}`).to.equal(true);
          await page.waitForFunction(`JSON.stringify(${shownColors}) === ${JSON.stringify(JSON.stringify(colors))}`);
        }
      }
    });

  it('opens the menu on a phone and follows it', async () => {
    await page.setViewport({ width: 390, height: 844 });
    await open('');
    expect(await isVisible('.VPSidebar')).to.equal(false);
    await page.click('.VPLocalNav .menu');
    await page.waitForSelector('.VPSidebar.open', { visible: true });
    await page.waitForFunction(`document.querySelector('.VPSidebar.open').getBoundingClientRect().left === 0`);
    expect(await text('.VPSidebar')).to.match(/Start.*Write tools.*Connect a client.*Operate.*Secure.*Embed.*Plugins.*Reference/);
    await page.click(`.VPSidebar a[href$="plugins/toolkit/OPERATING.html"]`);
    await page.waitForFunction(`location.pathname.endsWith('OPERATING.html') && document.querySelector('.VPSidebar.open') === null`);
    expect(await text('main h1')).to.include('Operating');
  });

  it('opens the links of the bar on a phone', async () => {
    await page.setViewport({ width: 390, height: 844 });
    await open('tools/core/git/git_log.html');
    await page.click('.VPNavBarHamburger');
    await page.waitForSelector('.VPNavScreen a[href$="reference/tools.html"]', { visible: true });
  });

  it('shows the pictures in the colors of the page, and changes them by the switch', async () => {
    await page.setViewport({ width: 1280, height: 800 });
    await open('');
    const shown = `[...document.querySelectorAll('main img')].filter((image) => image.offsetWidth > 0 && image.naturalWidth > 0).map(({ className }) => className).join()`;
    expect(await page.evaluate(shown)).to.equal(Array(4).fill('only-light').join());
    await page.click('.VPNavBarAppearance .VPSwitchAppearance');
    await page.waitForFunction(`document.documentElement.classList.contains('dark')`);
    await page.waitForFunction(`${shown} === '${Array(4).fill('only-dark').join()}'`);
  });

  it('shows what a definition says as text', async () => {
    await open(kinds['a tool with hostile texts']);
    const plain = hostileText.replace(/\s+/g, ' ');
    expect(await text('main h1 + p')).to.equal(plain);
    const examples = String(await page.evaluate(`document.querySelector('main pre').textContent`)).replaceAll('\u200D', '');
    expect(JSON.parse(examples)).to.deep.equal({ text: hostileText });
    expect(await text('main')).to.include(`<<< @/index.md ${plain}`);
    expect(
      await page.evaluate(`document.querySelectorAll('main :is(img, script, style, y, b, .custom-block, .table-of-contents)').length`),
    ).to.equal(0);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('main a')].filter((link) => !link.getAttribute('href').startsWith('#') && !link.closest('.VPDocFooter')).length`,
      ),
    ).to.equal(0);
    expect(await page.evaluate('globalThis.isBroken')).to.equal(undefined);
    await search('hostile_echo');
    await page.waitForFunction(`document.querySelector('.results .result') !== null`);
    expect(await page.evaluate(`document.querySelectorAll('.results :is(img, script, y)').length`)).to.equal(0);
    expect(await page.evaluate('globalThis.isBroken')).to.equal(undefined);
  });

  it('has no dead link, neither to a page nor to a place in it, and no id twice in a page', async () => {
    const { pages, links, dead, repeatedIds } = crawl(site, base);
    expect(dead).to.deep.equal([]);
    expect(repeatedIds).to.deep.equal([]);
    expect(links).to.be.greaterThan(5000);
    const files = (await readdir(site, { recursive: true })).filter((file) => file.endsWith('.html') && file !== '404.html');
    expect(files.map((file) => file.replaceAll(path.sep, '/')).filter((file) => !pages.includes(file))).to.deep.equal([]);
  });

  it('has llms.txt with links to its pages', async () => {
    const llms = await readFile(path.join(site, 'llms.txt'), 'utf8');
    const links = [...llms.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1]);
    const pages = await readdir(site, { recursive: true });
    expect(links).to.include('plugins/toolkit/reference/errors.html');
    expect(links.filter((link) => !pages.includes(path.normalize(link ?? '')))).to.deep.equal([]);
  });
});
