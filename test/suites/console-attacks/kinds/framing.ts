import type { Frame, Page } from 'playwright-core';
import { until } from '../../../support/until.ts';
import type { Attack, Outcome } from '../attack.ts';
import { attackVictim, type Victim } from '../browser-world.ts';
import { frameAncestors, frameOptions, openerPolicy } from '../defences/headers.ts';
import type { Target } from '../target.ts';

/** Both say it: the first one for browsers of today, the second one for those before them. */
const noFraming = [frameAncestors, frameOptions];

const full = 'style="position:fixed;inset:0;width:100%;height:100%;border:0;opacity:0.01"';

/** Elements in which a page shows another one. */
const elements: Readonly<Record<string, (url: string) => string>> = {
  'an iframe': (url) => `<iframe ${full} src="${url}"></iframe>`,
  'an object': (url) => `<object ${full} type="text/html" data="${url}"></object>`,
  'an embed': (url) => `<embed ${full} type="text/html" src="${url}">`,
};

const iframe = elements['an iframe'] as (url: string) => string;

/** Returns the frame that shows the console, on a page that has loaded; undefined where the browser has refused it. */
function consoleFrame({ page, site }: Pick<Victim, 'page' | 'site'>): Frame | undefined {
  return page.frames().find((frame) => frame.url().startsWith(`${site.origin}/console`));
}

/** Has the operator click twice on what seems to be the attacker's page. */
async function clickThrough(target: Target, markup: (url: string) => string): Promise<Outcome> {
  const { id } = await target.hold();
  return attackVictim(target, async (victim) => {
    await victim.lure(`<button>Get my prize</button>${markup(`${victim.site.origin}/console#/inbox/${id}`)}`);
    const frame = consoleFrame(victim);
    if (frame === undefined) return { succeeded: false, seen: 'an empty frame' };
    await frame.locator('[aria-keyshortcuts=a]').click();
    await frame.locator('.asking button[type=submit]').click();
    const status = await until(async () => {
      const { status: now } = await target.approval(id);
      return now === 'waiting' ? undefined : now;
    });
    return { succeeded: status === 'approved', seen: status };
  });
}

/** Keeps a handle on the tab that the operator opened with a link, and leads the tab elsewhere. */
async function takeTab(target: Target): Promise<Outcome> {
  return attackVictim(target, async ({ page, site, attacker, lure }) => {
    const copy = `${attacker.sameSite}${attacker.serve('<h1>Console</h1><form><input id="code"></form>')}`;
    await lure(`<button onclick="opened = window.open('${site.origin}/console')">Open the console</button>`);
    const [tab] = await Promise.all([page.waitForEvent('popup'), page.click('button')]);
    await tab.locator('.page-head h1').first().waitFor();
    await page.evaluate(`opened.location = ${JSON.stringify(copy)}`);
    const isTaken = await until(async () => {
      if (tab.url() === copy) return true;
      return (await isCutOff(page)) ? false : undefined;
    });
    return { succeeded: isTaken, seen: isTaken ? 'the copy' : 'a closed handle' };
  });
}

const isCutOff = (page: Page): Promise<boolean> => page.evaluate('opened.closed');

/** Attacks that show the console on, or open it from, a page of their own. In a browser. */
export const framing: readonly Attack[] = [
  ...Object.entries(elements).map(
    ([what, markup]): Attack => ({
      kind: 'framing',
      name: `has the operator click on an invisible ${what.split(' ')[1]} with a call`,
      request: `GET /console in ${what} on another port of its host`,
      expected: 'an empty frame',
      defence: noFraming,
      run: (target) => clickThrough(target, markup),
    }),
  ),
  {
    kind: 'framing',
    name: 'shows the login in a page of another site',
    request: 'GET /console/login in an iframe on another site',
    expected: 'an empty frame',
    defence: noFraming,
    run: (target) =>
      attackVictim(target, async (victim) => {
        await victim.signOut();
        await victim.lure(iframe(`${victim.site.origin}/console/login`), victim.attacker.otherSite);
        const frame = consoleFrame(victim);
        await frame?.locator('#code').waitFor();
        return { succeeded: frame !== undefined, seen: frame === undefined ? 'an empty frame' : 'the login' };
      }),
  },
  {
    kind: 'framing',
    name: 'leads the tab of the console elsewhere that it has opened',
    request: 'GET /console by window.open of another port of its host, then a new location for that window',
    expected: 'a closed handle',
    defence: openerPolicy,
    run: takeTab,
  },
];
