import { randomBytes } from 'node:crypto';
import { ask, cookiesOf } from '../../../plugins/console/request.ts';
import type { Attack } from '../attack.ts';
import { earlierEnd, hostCookies, manyValues, ownValues } from '../defences/sessions.ts';
import { hostOf, isSignedIn, loginOf, overviewOf, sendCode } from '../target.ts';

/** Sessions that somebody else has chosen. A page on another port of the host, or on another host of the domain, can plant cookies. */
export const fixation: readonly Attack[] = [
  {
    kind: 'fixation',
    name: 'has the login take the value of a cookie that was there before',
    request: 'POST /console/login with a planted toolkit-console=…',
    expected: 401,
    defence: ownValues,
    async run(target) {
      const site = await target.site();
      const planted = `toolkit-console=${randomBytes(32).toString('base64url')}`;
      await sendCode(site, await target.code(site), { headers: { cookie: planted } });
      const { status } = await overviewOf(site, planted);
      return { succeeded: status === 200, seen: status };
    },
  },
  ...[1, 3].map(
    (count): Attack => ({
      kind: 'fixation',
      name: `has the operator act in ${count === 1 ? 'the session' : `one of ${count} sessions`} of an attacker who is signed in as well`,
      request: `POST /console/login with ${count === 1 ? 'a planted cookie' : `${count} planted cookies`} that count, which come first in the next request`,
      expected: 200,
      defence: earlierEnd,
      async run(target) {
        const site = await target.site();
        const planted: string[] = [];
        for (let session = 0; session < count; session++) planted.push((await target.logIn(site)).cookie);
        const before = await Promise.all(planted.map(async (cookie) => (await loginOf(site, cookie)).csrf));
        const answer = await sendCode(site, await target.code(site), { headers: { cookie: planted.join('; ') } });
        const { csrf } = await loginOf(site, [...planted, cookiesOf(answer)].join('; '));
        return { succeeded: before.includes(csrf), seen: (await overviewOf(site, cookiesOf(answer))).status };
      },
    }),
  ),
  {
    kind: 'fixation',
    name: 'goes on with the session that a browser had before its next login',
    request: 'GET /console/api/overview with the cookie before POST /console/login',
    expected: 401,
    defence: earlierEnd,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      await sendCode(site, await target.code(site), { headers: { cookie } });
      const { status } = await overviewOf(site, cookie);
      return { succeeded: status === 200, seen: status };
    },
  },
  {
    kind: 'fixation',
    name: 'plants a session from another host of the domain, where the address is https',
    request: 'GET /console with a planted toolkit-console=…, a name without __Host-',
    expected: 401,
    defence: hostCookies,
    async run(target) {
      const site = await target.site('proxied');
      const { cookie } = await target.logIn(site);
      const planted = cookie.replace('__Host-', '');
      const { status } = await ask(site.port, '/console', { headers: { host: hostOf(site), cookie: planted } });
      return { succeeded: status === 200, seen: status };
    },
  },
  {
    kind: 'fixation',
    name: 'hides the session of the operator behind cookies that come first',
    request: 'GET /console/api/overview with 6 planted cookies before the right one',
    expected: 200,
    defence: manyValues,
    async run(target) {
      const site = await target.site();
      const { cookie } = await target.logIn(site);
      const planted = Array.from({ length: 6 }, () => `toolkit-console=${randomBytes(32).toString('base64url')}`);
      const hidden = [...planted, cookie].join('; ');
      return { succeeded: !(await isSignedIn(site, hidden)), seen: (await overviewOf(site, hidden)).status };
    },
  },
];
