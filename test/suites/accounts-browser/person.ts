import { expect } from 'chai';
import type { Browser, Page } from '../site/chromium.ts';

/** Width of a small phone, in pixels. */
const phoneWidth = 320;

/** Stops of the tabulator that are no control: the page itself, and frames. */
const otherStops = 4;

/** A resource, an error or a refusal of a page's policy. */
interface Notice {
  readonly page: string;
  readonly text: string;
}

/** A person at a window of Chromium whose cookies are its own. Uses the keyboard alone. */
export class Person {
  readonly page: Page;
  readonly close: () => Promise<void>;
  readonly #notices: Notice[] = [];

  private constructor(page: Page, close: () => Promise<void>) {
    this.page = page;
    this.close = close;
    page.setDefaultTimeout(120_000);
    const note = (text: string, from: string = page.url()): void => void this.#notices.push({ page: from, text });
    page.on('request', (request) => {
      if (!request.isNavigationRequest()) note(`loads ${request.url()}`, request.frame()?.url());
    });
    page.on('pageerror', ({ message }) => note(message));
    // A refused page is an error of the console as well, with its own address: its status is for the tests.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) note(message.text());
    });
  }

  static async at(browser: Browser): Promise<Person> {
    const context = await browser.createBrowserContext();
    return new Person(await context.newPage(), () => context.close());
  }

  /** Opens an address. Returns the status. */
  async open(url: string): Promise<number> {
    return (await this.page.goto(url))?.status() ?? 0;
  }

  async reload(): Promise<number> {
    return (await this.page.reload())?.status() ?? 0;
  }

  async back(): Promise<void> {
    await this.page.goBack();
  }

  /** The visible text of the page, with single blanks. */
  async text(): Promise<string> {
    return String(await this.page.evaluate(`document.body.innerText`)).replace(/\s+/g, ' ');
  }

  /** Moves to a control by the tabulator. Fails when the page has none that the selector names. */
  async focus(selector: string): Promise<void> {
    const isFocused = `document.activeElement?.matches(${JSON.stringify(selector)}) === true`;
    const count = Number(await this.page.evaluate(`document.querySelectorAll('a, button, input').length`));
    for (let tries = 0; tries <= count + otherStops; tries++) {
      if ((await this.page.evaluate(isFocused)) === true) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${selector} at ${this.page.url()}: ${await this.text()}`);
  }

  /** Presses a button. Resolves with the status of the next page, behind all redirects. */
  async press(selector: string): Promise<number> {
    await this.focus(selector);
    const [response] = await Promise.all([this.page.waitForNavigation(), this.page.keyboard.press('Enter')]);
    return response?.status() ?? 0;
  }

  /** Presses a button twice with the mouse, before its page comes. */
  async pressTwice(selector: string): Promise<void> {
    await Promise.all([this.page.waitForNavigation(), this.page.click(selector, { count: 2 })]);
  }

  async type(selector: string, text: string): Promise<void> {
    await this.focus(selector);
    await this.page.keyboard.type(text);
  }

  /** Signs in by the page of the provider. */
  async signIn(name: string): Promise<void> {
    await this.type('input[name=login]', name);
    await this.type('input[name=password]', 'a password');
    await this.press('button[type=submit]');
  }

  /** Returns what the provider's page asks the person to agree to, one scope each. */
  async requestedScopes(): Promise<readonly string[]> {
    return (await this.page.evaluate(
      `[...document.querySelectorAll('ul ul > li')].map(({ textContent }) => textContent.trim())`,
    )) as string[];
  }

  /** Agrees by the page of the provider. Resolves with the status of the next page. */
  agree(): Promise<number> {
    return this.press('button[type=submit]');
  }

  /** Cancels by the page of the provider. Resolves with the status of the next page. */
  refuse(): Promise<number> {
    return this.press('a[href*="/abort"]');
  }

  /** Agrees by the page of the provider, and does not follow the redirect to this path. Returns the redirect. */
  async agreeWithout(path: string): Promise<string> {
    const { page } = this;
    await page.setRequestInterception(true);
    const redirect = new Promise<string>((resolve) => {
      page.on('request', (request) => {
        if (new URL(request.url()).pathname !== path) return void request.continue();
        resolve(request.url());
        void request.abort();
      });
    });
    await this.focus('button[type=submit]');
    await page.keyboard.press('Enter');
    const url = await redirect;
    await page.setRequestInterception(false);
    return url;
  }

  /** Fails unless the page is one of ours at this origin, can be read by people and machines, also on a phone, and loads nothing. */
  async expectOwnPage(origin: string, status: number): Promise<void> {
    const { page } = this;
    expect(new URL(page.url()).origin, await this.text()).to.equal(origin);
    const seen = await page.evaluate(`({
      status: performance.getEntriesByType('navigation')[0].responseStatus,
      lang: document.documentElement.lang,
      mode: document.compatMode,
      hasTitle: document.title.trim() !== '',
      headings: document.querySelectorAll('main h1').length,
      viewport: document.querySelector('meta[name=viewport]')?.content,
      foreign: document.querySelectorAll('script, iframe, img, object, link[href]:not([href^="data:"])').length,
      resources: performance.getEntriesByType('resource').map(({ name }) => name),
      hasStyle: getComputedStyle(document.body).maxWidth !== 'none',
      falseButtons: document.querySelectorAll('[onclick], [role=button], a:not([href])').length,
    })`);
    expect(seen, page.url()).to.deep.equal({
      status,
      lang: 'en',
      mode: 'CSS1Compat',
      hasTitle: true,
      headings: 1,
      viewport: 'width=device-width',
      foreign: 0,
      resources: [],
      hasStyle: true,
      falseButtons: 0,
    });
    await page.setViewport({ width: phoneWidth, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), 'width on a phone').to.be.at.most(phoneWidth);
    await page.setViewport({ width: 1280, height: 800 });
    expect(this.#notices.filter((notice) => notice.page.startsWith(origin))).to.deep.equal([]);
  }
}
