import type { Page } from 'playwright-core';
import { afterFile } from '../../support/after-each.ts';
import { type OwnBrowser, startBrowser } from '../console/browser.ts';
import { type Attacker, startAttacker } from './browser-attacker.ts';
import type { Site, Target } from './target.ts';

interface World {
  readonly own: OwnBrowser;
  readonly attacker: Attacker;
}

/** The browser of the operator, and what lures it. */
export interface Victim {
  /** A tab of a browser in which the operator is signed in, on the console. */
  readonly page: Page;
  readonly site: Site;
  readonly attacker: Attacker;
  /** Opens a page of the attacker in that tab. `origin`: one of the attacker's. */
  lure(body: string, origin?: string): Promise<void>;
  /** Leaves the console and forgets its cookies. */
  signOut(): Promise<void>;
}

let world: Promise<World> | undefined;

afterFile(async () => {
  const ending = world;
  world = undefined;
  if (ending === undefined) return;
  const { own, attacker } = await ending;
  await own.close();
  await attacker.close();
});

async function startWorld(): Promise<World> {
  const [own, attacker] = await Promise.all([startBrowser(), startAttacker()]);
  return { own, attacker };
}

/** Attacks an operator who is signed in, in a browser whose cookies are its own. */
export async function attackVictim<T>(target: Target, attack: (victim: Victim) => Promise<T>): Promise<T> {
  world ??= startWorld();
  const { own, attacker } = await world;
  const site = await target.site();
  const context = await own.browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(`${site.origin}/console/login`);
    await page.fill('#code', await target.code(site));
    await page.click('button[type=submit]');
    await page.locator('.page-head h1').first().waitFor();
    const lure = async (body: string, origin = attacker.sameSite): Promise<void> => {
      await page.goto(`${origin}${attacker.serve(body)}`);
    };
    const signOut = async (): Promise<void> => {
      // The console itself would go to its login.
      await page.goto('about:blank');
      await context.clearCookies();
    };
    return await attack({ page, site, attacker, lure, signOut });
  } finally {
    await context.close();
  }
}
