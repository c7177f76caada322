import { ask, cookiesOf, jsonOf } from '../../../plugins/console/request.ts';
import type { Attack } from '../attack.ts';
import { csrfToken, fetchMetadata, jsonOnly, originCheck, tokenOfItsSession, writesArePosts } from '../defences/requests.ts';
import { hostOf, isSignedIn, post, type Site, sendCode, type Target } from '../target.ts';

const evil = 'https://evil.example';

/**
 * Requests that another page makes the operator's browser send, with the operator's cookie: a page on another port of the host, which is the same site, or
 * of any site in a browser that does not know SameSite. Where the request says so, the browser knows neither Fetch Metadata.
 */
export const csrf: readonly Attack[] = [
  decides({
    name: 'approves a call without the token',
    request: 'POST /console/api/approvals/{id}/decide without x-toolkit-csrf',
    expected: 403,
    defence: csrfToken,
    headers: () => ({}),
  }),
  decides({
    name: 'approves a call with an empty token',
    request: 'POST /console/api/approvals/{id}/decide with an empty x-toolkit-csrf',
    expected: 403,
    defence: csrfToken,
    headers: () => ({ 'x-toolkit-csrf': '' }),
  }),
  decides({
    name: 'approves a call with the token of a session of the attacker',
    request: 'POST /console/api/approvals/{id}/decide with x-toolkit-csrf of another session',
    expected: 403,
    defence: tokenOfItsSession,
    headers: ({ other }) => ({ 'x-toolkit-csrf': other }),
  }),
  decides({
    name: 'approves a call with a token that became known, from another origin',
    request: 'POST /console/api/approvals/{id}/decide with its x-toolkit-csrf and Origin: https://evil.example',
    expected: 403,
    defence: originCheck,
    headers: ({ own }) => ({ 'x-toolkit-csrf': own, origin: evil }),
  }),
  decides({
    name: 'approves a call with a token that became known, from a page without an origin',
    request: 'POST /console/api/approvals/{id}/decide with its x-toolkit-csrf and Origin: null',
    expected: 403,
    defence: originCheck,
    headers: ({ own }) => ({ 'x-toolkit-csrf': own, origin: 'null' }),
  }),
  // Both read Sec-Fetch-Site, and the second reads nothing else.
  ...['cross-site', 'same-site'].map((site) =>
    decides({
      name: `approves a call with a token that became known, from a page that is ${site}`,
      request: `POST /console/api/approvals/{id}/decide with its x-toolkit-csrf and Sec-Fetch-Site: ${site}`,
      expected: 403,
      defence: [originCheck, fetchMetadata],
      headers: ({ own }) => ({ 'x-toolkit-csrf': own, 'sec-fetch-site': site }),
    }),
  ),
  // A form cannot send the header of the token, so its text alone is refused twice.
  decides({
    name: 'approves a call by a form whose text is JSON',
    request: 'POST /console/api/approvals/{id}/decide as text/plain without x-toolkit-csrf',
    expected: 415,
    defence: [jsonOnly, csrfToken],
    headers: () => ({ 'content-type': 'text/plain' }),
  }),
  {
    kind: 'csrf',
    name: 'approves all calls without the token',
    request: 'POST /console/api/approvals/decide without x-toolkit-csrf',
    expected: 403,
    defence: csrfToken,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const records = [await target.hold(), await target.hold()];
      const { status } = await post(site, 'approvals/decide', { cookie }, { approve: true, records });
      const statuses = await Promise.all(records.map(({ id }) => target.approval(id)));
      return { succeeded: statuses.every((record) => record.status === 'approved'), seen: status };
    },
  },
  {
    kind: 'csrf',
    name: 'calls a tool as the operator without the token',
    request: 'POST /console/api/tools/echo/call without x-toolkit-csrf',
    expected: 403,
    defence: csrfToken,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const runs = await target.runs('echo');
      const { status } = await post(site, 'tools/echo/call', { cookie }, { parameters: { text: 'x' }, as: 'operator' });
      return { succeeded: (await target.runs('echo')) > runs, seen: status };
    },
  },
  {
    kind: 'csrf',
    name: 'changes the arguments of a held call without the token',
    request: 'POST /console/api/approvals/{id}/change without x-toolkit-csrf',
    expected: 403,
    defence: csrfToken,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const { id } = await target.hold();
      const { status } = await post(site, `approvals/${id}/change`, { cookie }, { parameters: { amount: 1_000_000 } });
      return { succeeded: (await target.approval(id)).status !== 'waiting', seen: status };
    },
  },
  {
    kind: 'csrf',
    name: 'accepts a changed tool without the token',
    request: 'POST /console/api/sources/shelf/accept without x-toolkit-csrf',
    expected: 403,
    defence: csrfToken,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      await target.list([{ name: 'find', description: 'Finds a thing.' }]);
      const waiting = await target.list([{ name: 'find', description: 'Finds another thing.' }]);
      const { changes } = jsonOf<{ readonly changes: readonly { readonly name: string; readonly digest: string }[] }>(
        await ask(site.port, '/console/api/sources', { headers: { cookie } }),
      );
      const chosen = changes.map(({ name, digest }) => ({ name, digest }));
      const { status } = await post(site, 'sources/shelf/accept', { cookie }, { changes: chosen });
      const still = await target.list([{ name: 'find', description: 'Finds another thing.' }]);
      return { succeeded: waiting.length === 1 && still.length === 0, seen: status };
    },
  },
  {
    kind: 'csrf',
    name: 'logs the operator out without the token',
    request: 'POST /console/api/logout without x-toolkit-csrf',
    expected: 403,
    defence: csrfToken,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const { status } = await post(site, 'logout', { cookie });
      return { succeeded: !(await isSignedIn(site, cookie)), seen: status };
    },
  },
  {
    kind: 'csrf',
    name: 'logs the operator out by an image',
    request: 'GET /console/api/logout',
    expected: 404,
    defence: writesArePosts,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const { status } = await ask(site.port, '/console/api/logout', { headers: { cookie } });
      return { succeeded: !(await isSignedIn(site, cookie)), seen: status };
    },
  },
  ...logins({
    'by a form of another site': { origin: evil },
    'by a form in a frame without an origin': { origin: 'null' },
    'by a form of a page on another port': { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    'by a form that names no origin': { origin: '' },
  }),
  {
    kind: 'csrf',
    name: 'uses up the begun logins of a minute by images of another site',
    request: 'GET /console/login/openid 25 times with Sec-Fetch-Site: cross-site',
    expected: 303,
    defence: fetchMetadata,
    async run(target) {
      const site = await target.site('people');
      for (let count = 0; count < 25; count++)
        await ask(site.port, '/console/login/openid', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' } });
      const { status } = await ask(site.port, '/console/login/openid', { headers: { 'sec-fetch-site': 'same-origin' } });
      await target.shift(61_000);
      return { succeeded: status !== 303, seen: status };
    },
  },
];

interface Tokens {
  /** The token of the operator's session. */
  readonly own: string;
  /** The token of a session of the attacker. */
  readonly other: string;
}

interface Decision extends Pick<Attack, 'name' | 'request' | 'expected' | 'defence'> {
  /** Headers of the forged request beside the cookie. */
  readonly headers: (tokens: Tokens) => Readonly<Record<string, string>>;
}

/** Returns an attack that approves a held call. */
function decides({ headers, ...row }: Decision): Attack {
  return {
    kind: 'csrf',
    ...row,
    async run(target) {
      const site = await target.site();
      const { cookie, csrf: own } = await target.logIn(site);
      const { csrf: other } = await target.logIn(site);
      const { id, digest } = await target.hold();
      const { status } = await post(site, `approvals/${id}/decide`, { cookie, ...headers({ own, other }) }, { approve: true, digest });
      return { succeeded: (await target.approval(id)).status === 'approved', seen: status };
    },
  };
}

/** Returns attacks that log the operator's browser in with a code of the attacker, who then sees what the operator does. */
function logins(ways: Readonly<Record<string, Readonly<Record<string, string>>>>): readonly Attack[] {
  return Object.entries(ways).map(([way, headers]) => ({
    kind: 'csrf',
    name: `logs the browser in with a code of the attacker ${way}`,
    request: `POST /console/login with ${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ')}`,
    expected: 403,
    defence: originCheck,
    async run(target: Target) {
      const site: Site = await target.site();
      const answer = await sendCode(site, await target.code(site), { headers: { host: hostOf(site), ...headers } });
      return { succeeded: cookiesOf(answer) !== '' && (await isSignedIn(site, cookiesOf(answer))), seen: answer.status };
    },
  }));
}
