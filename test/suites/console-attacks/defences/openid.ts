/** Defences of the login at an OpenID provider. */
import type { Defence } from './defence.ts';

const library = 'node_modules/oauth4webapi/build/index.js';

export const flowKey: Defence = {
  name: 'the key of a login in the cookie of its browser',
  file: 'plugins/console/access/openid-flows.ts',
  replace: ["hkdfSync('sha256', browser, '',", "hkdfSync('sha256', '', '',"],
};

export const flowCookie: Defence = {
  name: 'the cookie of a login',
  file: 'plugins/console/access/openid-login.ts',
  replace: ['browser === undefined ? undefined : await flows.take(state, browser)', "await flows.take(state, browser ?? '')"],
};

export const flowOnce: Defence = {
  name: 'a redirect that counts once',
  file: 'plugins/console/access/openid-flows.ts',
  replace: [
    'if (text === undefined || !(await this.#state.compareAndSet(key, sealed, undefined))) return undefined;',
    'if (text === undefined) return undefined;',
  ],
};

export const flowTime: Defence = {
  name: 'the ten minutes of a login',
  file: 'plugins/console/access/openid-flows.ts',
  replace: ['await this.#state.set(key, sealed, { ttlMs: flowTtlMs });', 'await this.#state.set(key, sealed);'],
};

export const operatorClaim: Defence = {
  name: 'the claim of operators',
  file: 'plugins/console/access/openid-login.ts',
  replace: ['if (!isOperator(claims, options.operators)) {', 'if (!isOperator(claims, options.operators) && subject === undefined) {'],
};

export const wholeValues: Defence = {
  name: 'the comparison of whole values of a claim',
  file: 'plugins/console/access/operators.ts',
  replace: ['allowed.includes(value)', 'allowed.some((one) => value.includes(one))'],
};

export const verifiedEmail: Defence = {
  name: 'the look at email_verified',
  file: 'plugins/console/access/operators.ts',
  replace: [" || (claim === 'email' && claims['email_verified'] !== true)", ''],
};

export const audience: Defence = {
  name: 'the audience of the id_token',
  file: library,
  replace: ['else if (result.claims.aud !== expected) {', 'else if (result.claims.aud === undefined) {'],
};

export const tokenIssuer: Defence = {
  name: 'the issuer of the id_token',
  file: library,
  replace: ['if (result.claims.iss !== expected) {', 'if (result.claims.iss === undefined) {'],
};

export const nonce: Defence = {
  name: 'the nonce of the id_token',
  file: library,
  replace: ['if (claims.nonce !== expected) {', 'if (claims.nonce === undefined) {'],
};

export const signature: Defence = {
  name: 'the signature of the id_token',
  file: 'plugins/shared/oauth/sign-in.ts',
  replace: ['await library.validateApplicationLevelSignature(server, response, options);', ''],
};

export const redirectIssuer: Defence = {
  name: 'the issuer in the redirect',
  file: 'plugins/shared/oauth/redirect.ts',
  replace: ['if (issuer === undefined || received === issuer) return;', 'if (received !== undefined) return;'],
};

export const codeChallenge: Defence = {
  name: 'the code challenge',
  file: 'plugins/shared/oauth/sign-in.ts',
  replace: ['pkce: true,', 'pkce: false,'],
};
