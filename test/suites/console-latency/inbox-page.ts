import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Notes the time at which the row of each record has appeared. */
const noteRows = `
  window.appearedAt = {};
  const note = () => {
    for (const { dataset } of document.querySelectorAll('.inbox-row[data-id]')) window.appearedAt[dataset.id] ??= Date.now();
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
`;

/** The inbox of a server, open in a browser. It is never loaded again. */
export class InboxPage {
  readonly #context: BrowserContext;
  readonly #page: Page;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.#page = page;
  }

  /** Logs in with a one-time code, and opens the inbox. `connects`: holds its request for events until this resolves. */
  static async open(browser: Browser, port: number, code: string, connects?: Promise<void>): Promise<InboxPage> {
    const context = await browser.newContext();
    context.setDefaultTimeout(120_000);
    // A route delays every request of the page.
    if (connects !== undefined)
      await context.route('**/console/api/events', async (route) => {
        await connects;
        await route.continue();
      });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/console/login`);
    await page.locator('#code').fill(code);
    await page.locator('button[type=submit]').click();
    await page.locator('.inbox-row, .empty').first().waitFor();
    await page.evaluate(noteRows);
    return new InboxPage(context, page);
  }

  /** Resolves to the time at which the row of a record was there, in epoch ms. */
  async shownAt(id: string): Promise<number> {
    await this.#page.locator(`.inbox-row[data-id="${id}"]`).waitFor({ state: 'attached' });
    return this.#page.evaluate<number>(`window.appearedAt[${JSON.stringify(id)}]`);
  }

  close(): Promise<void> {
    return this.#context.close();
  }
}
