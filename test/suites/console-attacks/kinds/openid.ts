import { ask, cookiesOf } from '../../../plugins/console/request.ts';
import type { Attack } from '../attack.ts';
import type { Defence } from '../defences/defence.ts';
import {
  audience,
  codeChallenge,
  flowCookie,
  flowKey,
  nonce,
  operatorClaim,
  redirectIssuer,
  signature,
  tokenIssuer,
  verifiedEmail,
  wholeValues,
} from '../defences/openid.ts';
import { ownAddress } from '../defences/paths.ts';
import type { Claims, ForgedToken } from '../provider.ts';
import { isSignedIn, type Target } from '../target.ts';
import { ada, beginLogin, eve, redirectOf } from './openid-flow.ts';

/** Logins at an OpenID provider by persons who are no operators, or in browsers that did not begin them. */
export const openid: readonly Attack[] = [
  {
    kind: 'openid',
    name: 'has another browser finish a login of the attacker',
    request: 'GET /console/login/callback of another browser, which has no cookie of the login',
    expected: 403,
    // Without a cookie there is no key, and without a key no login is found.
    defence: [flowCookie, flowKey],
    async run(target) {
      const site = await target.site('people');
      const { redirect } = await beginLogin(target, site, ada);
      return finish(target, redirect, '');
    },
  },
  {
    kind: 'openid',
    name: 'has another browser finish a login of the attacker with the cookie of its own login',
    request: 'GET /console/login/callback with the name of its cookie, and the value of another one',
    expected: 403,
    defence: flowKey,
    async run(target) {
      const site = await target.site('people');
      const attacker = await beginLogin(target, site, ada);
      const victim = await beginLogin(target, site, ada);
      const [name] = attacker.cookie.split('=');
      return finish(target, attacker.redirect, `${name}=${victim.cookie.split('=')[1]}`);
    },
  },
  signsIn('a person without the claim of operators', 'a right token of a person of another group', eve, operatorClaim),
  signsIn('a person without any claim', 'a right token with a subject alone', { sub: 'eve' }, operatorClaim),
  signsIn(
    'a person of a group whose name has that of the operators in it',
    'a right token with groups: ["no-operations"]',
    { sub: 'eve', groups: ['no-operations'] },
    wholeValues,
  ),
  signsIn(
    'a person who has typed the email of an operator at the provider',
    'a right token with email_verified: false',
    { sub: 'eve', email: 'ada@shop.example', email_verified: false },
    verifiedEmail,
  ),
  signsIn(
    'a person with the email of an operator about which the provider says nothing',
    'a right token with email and without email_verified',
    { sub: 'eve', email: 'ada@shop.example' },
    verifiedEmail,
  ),
  signsIn('by a token for another client', 'a right token of an operator with aud: another', { ...ada, aud: 'another' }, audience),
  signsIn('by a token of another login', 'a right token of an operator with another nonce', { ...ada, nonce: 'another' }, nonce),
  signsIn(
    'by a token of another issuer',
    'a token of an operator with iss: another',
    { ...ada, iss: 'https://login.evil.example' },
    tokenIssuer,
  ),
  signsIn('by a token that somebody else has signed', 'a token of an operator signed with another key', ada, signature, 'another key'),
  signsIn(
    'by a token whose claims were changed',
    'a token of an operator with the signature of another token',
    ada,
    signature,
    'another text',
  ),
  {
    kind: 'openid',
    name: 'answers a login with the code of another issuer',
    request: 'GET /console/login/callback with iss: https://login.evil.example',
    expected: 403,
    defence: redirectIssuer,
    async run(target) {
      const site = await target.site('people');
      const { cookie, query } = await beginLogin(target, site, ada);
      query.set('iss', 'https://login.evil.example');
      return finish(target, redirectOf(query), cookie);
    },
  },
  {
    kind: 'openid',
    name: 'uses a code of the operator that became known in a login of the attacker',
    request: 'GET /console/login/callback with the state and the cookie of the attacker, and the code of the operator',
    expected: 403,
    // The provider compares the verifier, and the token has the nonce of the operator's login.
    defence: [codeChallenge, nonce],
    async run(target) {
      const site = await target.site('people');
      const operator = await beginLogin(target, site, ada);
      const attacker = await beginLogin(target, site, eve);
      attacker.query.set('code', operator.query.get('code') ?? '');
      return finish(target, redirectOf(attacker.query), attacker.cookie);
    },
  },
  {
    kind: 'openid',
    name: 'has the provider send the code to another host',
    request: 'GET /console/login/openid with X-Forwarded-Host: evil.example',
    expected: 303,
    defence: ownAddress,
    async run(target) {
      const site = await target.site('people');
      const { status, headers } = await ask(site.port, '/console/login/openid', { headers: { 'x-forwarded-host': 'evil.example' } });
      const sent = new URL(headers.location ?? '').searchParams.get('redirect_uri') ?? '';
      return { succeeded: new URL(sent).host === 'evil.example', seen: status };
    },
  },
];

/** Returns an attack of a person whose token the provider, or whoever is in its place, makes so. */
function signsIn(who: string, token: string, claims: Claims, defence: Defence, forged?: ForgedToken): Attack {
  return {
    kind: 'openid',
    name: `gets in: ${who}`,
    request: `GET /console/login/callback, and at the provider ${token}`,
    expected: 403,
    defence,
    async run(target) {
      const { cookie, redirect } = await beginLogin(target, await target.site('people'), claims, forged);
      return finish(target, redirect, cookie);
    },
  };
}

async function finish(target: Target, redirect: string, cookie: string): ReturnType<Attack['run']> {
  const site = await target.site('people');
  const answer = await ask(site.port, redirect, { headers: { cookie } });
  // Each begun login counts: the limit of a minute is another attack.
  await target.shift(61_000);
  return { succeeded: await isSignedIn(site, cookiesOf(answer)), seen: answer.status };
}
