import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { loopback } from '../support/loopback.ts';

/** Where `npm run test:suite site` installs a Chromium and what drives it. */
const installed = path.resolve('node_modules/.cache/site/node_modules');

/** What is used of puppeteer-core. */
interface Page {
  goto(url: string): Promise<unknown>;
  url(): string;
  evaluate(expression: string): Promise<unknown>;
  focus(selector: string): Promise<void>;
  waitForFunction(expression: string): Promise<unknown>;
  waitForNavigation(): Promise<unknown>;
  setDefaultTimeout(milliseconds: number): void;
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  emulateMediaFeatures(features: readonly { readonly name: string; readonly value: string }[]): Promise<void>;
  close(): Promise<void>;
  readonly keyboard: { type(text: string): Promise<void>; press(key: string): Promise<void> };
  on(event: 'request', listener: (request: { url(): string }) => void): unknown;
  on(event: 'pageerror', listener: (error: Error) => void): unknown;
}

interface Browser {
  newPage(): Promise<Page>;
  version(): Promise<string>;
  close(): Promise<void>;
}

interface Puppeteer {
  launch(options: { readonly executablePath: string; readonly args: readonly string[]; readonly headless: 'shell' }): Promise<Browser>;
}

const from = async <T>(file: string): Promise<T> =>
  ((await import(pathToFileURL(path.join(installed, file)).href)) as { readonly default: T }).default;

/** A Chromium of this machine that TOOLKIT_TEST_CHROMIUM names, else the installed one, unpacked in the folder. */
async function chromium(folder: string): Promise<string> {
  const named = process.env['TOOLKIT_TEST_CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const packed = await from<{ executablePath(): Promise<string> }>('@sparticuz/chromium/build/esm/index.js');
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    return await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** What is typed, the name of the first hit, what it is, and the words that the place it leads to shows. */
const searches: readonly { readonly query: string; readonly title: string; readonly kind: string; readonly shows: string }[] = [
  { query: 'send slack message', title: 'slack_send_channel_message', kind: 'tool', shows: 'slack_send_channel_message' },
  { query: 'git_log', title: 'git_log', kind: 'tool', shows: 'git_log' },
  { query: 'beforeExecute', title: 'beforeExecute', kind: 'hook', shows: 'beforeExecute' },
  { query: 'RATE_LIM', title: 'RATE_LIMITED', kind: 'error code', shows: 'too many requests' },
  { query: 'paginate.limit', title: 'paginate.limit', kind: 'key', shows: 'up to so many items in all' },
  { query: 'hitlMinRiskLevel', title: 'hitlMinRiskLevel', kind: 'option', shows: 'hitlMinRiskLevel' },
  { query: 'toolkit doctor', title: 'toolkit doctor', kind: 'command', shows: 'toolkit doctor' },
];

describe('the site in Chromium', function () {
  this.timeout(300_000);

  const site = path.resolve('dist/site');
  let folder: string;
  let browser: Browser;
  let page: Page;
  /** What the page asked for, and what its scripts threw. */
  const requests: string[] = [];
  const failures: string[] = [];

  before(async () => {
    const puppeteer = await from<Puppeteer>('puppeteer-core/lib/esm/puppeteer/puppeteer-core.js');
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-chromium-'));
    browser = await puppeteer.launch({ executablePath: await chromium(folder), args: ['--no-sandbox', '--no-zygote'], headless: 'shell' });
    process.stdout.write(`    ${await browser.version()}\n`);
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', ({ message }) => failures.push(message));
    for (const list of [requests, failures]) list.splice(0);
  });
  afterEach(() => page.close());
  after(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Types into the search, follows the first hit when it is the one, and gives what the place shows that it leads to. */
  async function follow(query: string, title: string, kind: string): Promise<unknown> {
    await page.focus('#search');
    await page.keyboard.type(query);
    const first = `document.querySelector('#hits a b')?.textContent === ${JSON.stringify(title)}`;
    await page.waitForFunction(first);
    expect(await page.evaluate(`document.querySelector('#hits a i').textContent.split(',')[0]`)).to.equal(kind);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    return page.evaluate(`(location.hash === '' ? document.querySelector('main') : document.querySelector(':target'))?.textContent`);
  }

  for (const { query, title, kind, shows } of searches)
    it(`opened as a file, finds the ${kind} ${title} for "${query}"`, async () => {
      await page.goto(pathToFileURL(path.join(site, 'index.html')).href);
      expect(await follow(query, title, kind)).to.include(shows);
      expect(requests.filter((url) => !url.startsWith(pathToFileURL(site).href))).to.deep.equal([]);
      expect(failures).to.deep.equal([]);
    });

  it('finds it from a page deep in the site, and from a server', async () => {
    const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
    const server = await loopback(async (request, response) => {
      const file = path.join(site, path.posix.normalize(new URL(request.url, 'http://site').pathname));
      const text = await readFile(file).catch(() => undefined);
      response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': types[path.extname(file)] ?? 'text/plain' }).end(text);
    });
    await page.goto(`${server.url}/tools/core/git/git_log.html`);
    expect(await follow('OUTBOUND_BLOCKED', 'OUTBOUND_BLOCKED', 'error code')).to.include('the outbound guard refuses the address');
    expect(page.url()).to.equal(`${server.url}/plugins/toolkit/reference/errors.html#outbound_blocked`);
  });

  it('says so when nothing is found', async () => {
    await page.goto(pathToFileURL(path.join(site, 'SECURITY.html')).href);
    await page.focus('#search');
    await page.keyboard.type('qqqqzzzz');
    await page.waitForFunction(`document.querySelector('#hits')?.textContent === 'Nothing found.'`);
  });

  for (const name of ['index.html', 'plugins/toolkit/reference/options.html', 'tools/core/git/git_log.html'])
    it(`fits on a phone: ${name}`, async () => {
      await page.setViewport({ width: 375, height: 700 });
      await page.goto(pathToFileURL(path.join(site, name)).href);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(375);
    });

  it('is light or dark as the reader has it', async () => {
    await page.goto(pathToFileURL(path.join(site, 'index.html')).href);
    const colors = [];
    for (const value of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      colors.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    }
    expect(colors).to.deep.equal(['rgb(255, 255, 255)', 'rgb(22, 24, 28)']);
  });
});
