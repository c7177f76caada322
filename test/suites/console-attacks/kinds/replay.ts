import { ask, cookiesOf } from '../../../plugins/console/request.ts';
import type { Attack } from '../attack.ts';
import { flowOnce, flowTime } from '../defences/openid.ts';
import { tokenOfItsSession } from '../defences/requests.ts';
import { codesOnce, codeTime, logoutEnds, oneStep, sessionTime } from '../defences/sessions.ts';
import { isSignedIn, overviewOf, post, sendCode } from '../target.ts';
import { ada, beginLogin } from './openid-flow.ts';

const hourMs = 3_600_000;

/** Codes, cookies, tokens and redirects that are used a second time, or too late. */
export const replay: readonly Attack[] = [
  {
    kind: 'replay',
    name: 'a code that the operator has used',
    request: 'POST /console/login with a code twice',
    expected: 401,
    defence: codesOnce,
    async run(target) {
      const site = await target.site();
      const code = await target.code(site);
      await sendCode(site, code);
      const second = await sendCode(site, code);
      return { succeeded: await isSignedIn(site, cookiesOf(second)), seen: second.status };
    },
  },
  {
    kind: 'replay',
    name: 'a code that the operator has used at another server of the store',
    request: 'POST /console/login with a code at one server, then at the other',
    expected: 401,
    defence: codesOnce,
    async run(target) {
      const [site, other] = [await target.site(), await target.site('own')];
      const code = await target.code(site);
      await sendCode(site, code);
      const second = await sendCode(other, code);
      return { succeeded: await isSignedIn(other, cookiesOf(second)), seen: second.status };
    },
  },
  {
    kind: 'replay',
    name: 'a code eight times at once, at two servers',
    request: 'POST /console/login with one code at the same time at two servers',
    expected: 1,
    defence: oneStep,
    async run(target) {
      const sites = [await target.site(), await target.site('own')];
      const code = await target.code(await target.site());
      const answers = await Promise.all([...sites, ...sites, ...sites, ...sites].map((site) => sendCode(site, code)));
      const signedIn = answers.filter(({ status }) => status === 303).length;
      return { succeeded: signedIn > 1, seen: signedIn };
    },
  },
  {
    kind: 'replay',
    name: 'a code after ten minutes',
    request: 'POST /console/login with a code of eleven minutes ago',
    expected: 401,
    defence: codeTime,
    async run(target) {
      const site = await target.site();
      const code = await target.code(site);
      await target.shift(11 * 60_000);
      const answer = await sendCode(site, code);
      return { succeeded: await isSignedIn(site, cookiesOf(answer)), seen: answer.status };
    },
  },
  {
    kind: 'replay',
    name: 'a cookie after the logout',
    request: 'GET /console/api/overview with the cookie of a session that was logged out',
    expected: 401,
    defence: logoutEnds,
    async run(target) {
      const site = await target.site();
      const { cookie, csrf } = await target.logIn(site);
      await post(site, 'logout', { cookie, 'x-toolkit-csrf': csrf });
      const { status } = await overviewOf(site, cookie);
      return { succeeded: status === 200, seen: status };
    },
  },
  {
    kind: 'replay',
    name: 'a cookie after the logout, at another server of the store',
    request: 'GET /console/api/overview with the cookie of a session that was logged out elsewhere',
    expected: 401,
    defence: logoutEnds,
    async run(target) {
      const [site, other] = [await target.site(), await target.site('own')];
      const { cookie, csrf } = await target.logIn(site);
      await post(site, 'logout', { cookie, 'x-toolkit-csrf': csrf });
      const { status } = await overviewOf(other, cookie);
      return { succeeded: status === 200, seen: status };
    },
  },
  {
    kind: 'replay',
    name: 'a cookie after its eight hours',
    request: 'GET /console/api/overview with the cookie of a session of nine hours ago',
    expected: 401,
    defence: sessionTime,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      await target.shift(9 * hourMs);
      const { status } = await overviewOf(site, cookie);
      return { succeeded: status === 200, seen: status };
    },
  },
  {
    kind: 'replay',
    name: 'the token of an ended session, with the cookie of the next one',
    request: 'POST /console/api/approvals/{id}/decide with x-toolkit-csrf of the session before',
    expected: 403,
    defence: tokenOfItsSession,
    async run(target) {
      const site = await target.site();
      const { cookie: first, csrf } = await target.logIn(site);
      await post(site, 'logout', { cookie: first, 'x-toolkit-csrf': csrf });
      const { cookie } = await target.logIn(site);
      const { id, digest } = await target.hold();
      const { status } = await post(site, `approvals/${id}/decide`, { cookie, 'x-toolkit-csrf': csrf }, { approve: true, digest });
      return { succeeded: (await target.approval(id)).status === 'approved', seen: status };
    },
  },
  {
    kind: 'replay',
    name: 'the redirect of a login at a provider that takes its codes twice',
    request: 'GET /console/login/callback twice, by the browser that began it',
    expected: 403,
    defence: flowOnce,
    async run(target) {
      const site = await target.site('people');
      const { cookie, redirect } = await beginLogin(target, site, ada);
      await ask(site.port, redirect, { headers: { cookie } });
      const second = await ask(site.port, redirect, { headers: { cookie } });
      return { succeeded: await isSignedIn(site, cookiesOf(second)), seen: second.status };
    },
  },
  {
    kind: 'replay',
    name: 'the redirect of a login that was begun more than ten minutes ago',
    request: 'GET /console/login/callback eleven minutes after GET /console/login/openid',
    expected: 403,
    defence: flowTime,
    async run(target) {
      const site = await target.site('people');
      const { cookie, redirect } = await beginLogin(target, site, ada);
      await target.shift(11 * 60_000);
      const answer = await ask(site.port, redirect, { headers: { cookie } });
      return { succeeded: await isSignedIn(site, cookiesOf(answer)), seen: answer.status };
    },
  },
];
