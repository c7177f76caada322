import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type ConsoleSite, consoleSite } from '../../plugins/console/console-site.ts';
import { type OwnBrowser, startBrowser } from './browser.ts';

describe('the login in a browser', () => {
  let own: OwnBrowser;
  let site: ConsoleSite;
  let page: Page;

  before(async () => {
    own = await startBrowser();
  });
  after(() => own?.close());
  beforeEach(async () => {
    site = await consoleSite();
    page = await own.browser.newPage();
  });
  afterEach(() => page.close());

  const logIn = async (code: string): Promise<void> => {
    await page.getByLabel('One-time code').fill(code);
    await page.getByRole('button', { name: 'Log in' }).click();
  };

  it('leads to the page of the link with which it began, also after a wrong code', async () => {
    await page.goto(`${site.origin}/console#/calls?outcome=failed`);
    await logIn('wrong');
    await page.getByRole('alert').waitFor();
    await logIn(site.code);
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor();
    expect(new URL(page.url()).hash).to.equal('#/calls?outcome=failed');
  });

  it('has the colours that were chosen in the console', async () => {
    await page.goto(`${site.origin}/console/login`);
    await logIn(site.code);
    await page.getByRole('button', { name: 'Dark colours' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('One-time code').waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).to.equal('dark');
  });
});
