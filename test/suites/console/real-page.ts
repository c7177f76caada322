import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { RealServer } from './real-server.ts';

/** A page on a real server, with what went wrong in it. */
export interface RealPage {
  readonly page: Page;
  /** Errors of its script, and what its console reports as one, such as a violation of the content security policy. */
  readonly failures: readonly string[];
  /** Takes those that are expected out of the failures. */
  takeFailures(expected: RegExp): readonly string[];
}

/** Opens a page in a context of its own. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<RealPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (message) => {
    // A stranger is answered with 401, which is expected.
    if (message.type() === 'error' && !message.text().includes('status of 401')) failures.push(message.text());
  });
  const takeFailures = (expected: RegExp): readonly string[] => {
    const taken = failures.filter((text) => expected.test(text));
    failures.splice(0, Number.POSITIVE_INFINITY, ...failures.filter((text) => !expected.test(text)));
    return taken;
  };
  return { page, failures, takeFailures };
}

/** Logs in as a person does: opens the console, types a code that was printed, and presses Enter. */
export async function logIn(page: Page, { address }: RealServer, code: string): Promise<void> {
  await page.goto(address);
  await page.waitForURL(/\/console\/login$/);
  await page.locator('input[name=code]:focus').waitFor();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await page.locator('.header').waitFor();
}
