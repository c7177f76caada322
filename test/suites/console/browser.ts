import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { chromiumIn } from '../site/chromium.ts';

/** A Chromium that was started for the tests of a file. */
export interface OwnBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Starts the Chromium of the suites, unpacked in a folder of its own. */
export async function startBrowser(): Promise<OwnBrowser> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-chromium-'));
  const browser = await chromium.launch({ executablePath: await chromiumIn(folder), args: ['--no-sandbox', '--no-zygote'] });
  return {
    browser,
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
