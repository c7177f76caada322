import { until } from '../../../support/until.ts';
import type { Attack, Outcome } from '../attack.ts';
import type { Attacker } from '../browser-attacker.ts';
import { attackVictim, type Victim } from '../browser-world.ts';
import { resourcePolicy } from '../defences/headers.ts';
import { noSharing } from '../defences/reading.ts';
import { csrfToken, fetchMetadata, jsonOnly, originCheck } from '../defences/requests.ts';
import { sameSiteCookie } from '../defences/same-site.ts';
import type { Target } from '../target.ts';

/** The route looks at the Origin, the API at Fetch Metadata, and the browser at what the answer allows. */
const reading = [originCheck, fetchMetadata, noSharing];

/** Browsers of today name the origin and the site of each request; a form has neither the type nor the token of the API. */
const writing = [originCheck, fetchMetadata, csrfToken, jsonOnly];

/** Notes the status of the answer to a request of the tab. A browser hides answers that no origin but the console's may have. */
function statusOf({ page }: Victim, path: string): () => number | undefined {
  let status: number | undefined;
  page.on('response', (response) => {
    if (new URL(response.url()).pathname === path) status ??= response.status();
  });
  return () => status;
}

/** Reads an address by script of another origin, with the cookies of the operator. `read`: code that resolves to a text, empty for nothing. */
function reads(name: string, path: string, read: (url: string) => string, isRead: (text: string) => boolean): Attack {
  return {
    kind: 'cross-origin',
    name,
    request: `GET ${path} by script of another port of its host, with the cookie`,
    expected: 'nothing',
    defence: reading,
    run: (target) =>
      attackVictim(target, async (victim) => {
        await victim.lure('');
        const text = await victim.page.evaluate<string>(read(`${victim.site.origin}${path}`));
        return { succeeded: isRead(text), seen: text === '' ? 'nothing' : 'a text' };
      }),
  };
}

/** Returns the row of a part of the console that another page loads as its own. */
function loads(
  what: string,
  origin: 'sameSite' | 'otherSite',
  path: (victim: Victim) => Promise<string>,
  load: (url: string) => string,
): Attack {
  return {
    kind: 'cross-origin',
    name: `loads ${what}`,
    request: `GET ${what} by ${origin === 'sameSite' ? 'a page on another port of its host' : 'a page of another site'}`,
    expected: 'an error',
    defence: resourcePolicy,
    run: (target) =>
      attackVictim(target, async (victim) => {
        const url = `${victim.site.origin}${await path(victim)}`;
        await victim.lure('', victim.attacker[origin]);
        const seen = await victim.page.evaluate<string>(
          `new Promise((resolve) => { const done = (text) => () => resolve(text); ${load(JSON.stringify(url))} })`,
        );
        return { succeeded: seen === 'the bytes', seen };
      }),
  };
}

/** Loads an element of the page. */
const element =
  (tag: string, attributes: string) =>
  (url: string): string =>
    `const element = Object.assign(document.createElement('${tag}'), ${attributes.replace('URL', url)});
  element.onload = done('the bytes'); element.onerror = done('an error'); document.head.append(element);`;

const addressIn =
  (selector: string, attribute: string) =>
  async ({ page }: Victim): Promise<string> =>
    (await page.locator(selector).first().getAttribute(attribute)) ?? '';

/** Sends a decision from a page of another origin. */
function decides(
  name: string,
  request: string,
  { origin, expected, defence }: { readonly origin: keyof Pick<Attacker, 'sameSite' | 'otherSite'> } & Pick<Attack, 'expected' | 'defence'>,
  send: (url: string, body: string) => string,
): Attack {
  const run = async (target: Target): Promise<Outcome> => {
    const { id, digest } = await target.hold();
    return attackVictim(target, async (victim) => {
      const path = `/console/api/approvals/${id}/decide`;
      const status = statusOf(victim, path);
      await victim.lure(send(`${victim.site.origin}${path}`, JSON.stringify({ approve: true, digest })), victim.attacker[origin]);
      const isApproved = async (): Promise<boolean> => (await target.approval(id)).status === 'approved';
      const seen = await until(async () => status() ?? ((await isApproved()) ? 200 : undefined));
      return { succeeded: await isApproved(), seen };
    });
  };
  return { kind: 'cross-origin', name, request, expected, defence, run };
}

/** A form whose text is JSON: its name is the beginning, and its value the end. */
function jsonForm(url: string, body: string): string {
  const name = `${body.slice(0, -1)},"reason":"`.replaceAll('"', '&quot;');
  return `<form method="post" enctype="text/plain" action="${url}"><input type="hidden" name="${name}" value="&quot;}"></form><script>document.forms[0].submit()</script>`;
}

/** Attacks by script and forms of pages of other origins. In a browser. */
export const crossOrigin: readonly Attack[] = [
  reads(
    'reads the token of the session by fetch',
    '/console/api/overview',
    (url) => `fetch('${url}', { credentials: 'include' }).then((response) => response.text(), () => '')`,
    (text) => text.includes('"csrf"'),
  ),
  reads(
    'reads the calls that wait by XMLHttpRequest',
    '/console/api/approvals',
    (
      url,
    ) => `new Promise((resolve) => { const request = new XMLHttpRequest(); request.open('GET', '${url}'); request.withCredentials = true;
      request.onloadend = () => resolve(request.responseText); request.send(); })`,
    (text) => text.includes('"approvals"'),
  ),
  reads(
    'listens to the events by EventSource',
    '/console/api/events',
    (url) => `new Promise((resolve) => { const events = new EventSource('${url}', { withCredentials: true });
      events.onopen = () => { events.close(); resolve('open'); }; events.onerror = () => { events.close(); resolve(''); }; })`,
    (text) => text === 'open',
  ),
  loads('the script of the console', 'sameSite', addressIn('script', 'src'), element('script', '{ src: URL }')),
  loads(
    'the style of the console',
    'otherSite',
    addressIn('link[rel=stylesheet]', 'href'),
    element('link', "{ rel: 'stylesheet', href: URL }"),
  ),
  loads(
    'the page of the console, without reading it,',
    'sameSite',
    async () => '/console',
    (url) => `fetch(${url}, { mode: 'no-cors', credentials: 'include' }).then(done('the bytes'), done('an error'));`,
  ),
  decides(
    'approves a call by a form on another port of its host',
    'POST /console/api/approvals/{id}/decide by a form of text/plain, with the cookie',
    { origin: 'sameSite', expected: 403, defence: writing },
    jsonForm,
  ),
  decides(
    'approves a call by a form of another site',
    'POST /console/api/approvals/{id}/decide by a form of text/plain on another site',
    { origin: 'otherSite', expected: 403, defence: [...writing, sameSiteCookie] },
    jsonForm,
  ),
  decides(
    'approves a call by fetch without CORS',
    'POST /console/api/approvals/{id}/decide by fetch in the mode no-cors, with the cookie',
    { origin: 'sameSite', expected: 403, defence: writing },
    (url, body) => `<script>fetch('${url}', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '${body}' })</script>`,
  ),
  {
    kind: 'cross-origin',
    name: 'logs the operator in with a code of its own',
    request: 'POST /console/login by a form of another site, with the code of somebody else',
    expected: 403,
    defence: originCheck,
    run: (target) =>
      attackVictim(target, async (victim) => {
        const { page, site, attacker, lure, signOut } = victim;
        await signOut();
        const status = statusOf(victim, '/console/login');
        const code = await target.code(site);
        await lure(
          `<form method="post" action="${site.origin}/console/login"><input name="code" value="${code}"></form><script>document.forms[0].submit()</script>`,
          attacker.otherSite,
        );
        const seen = await until(status);
        await until(() => (page.url().startsWith(site.origin) ? true : undefined));
        const cookies = await page.context().cookies(site.origin);
        return { succeeded: cookies.some(({ name }) => name.endsWith('toolkit-console')), seen };
      }),
  },
];
