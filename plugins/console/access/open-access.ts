import { type HttpRouteAccess, type PluginApi, revealSecret } from '../../../kernel/index.ts';
import type { Assets } from '../assets.ts';
import type { ConsoleOptions } from '../options.ts';
import { Attempts } from './attempts.ts';
import { clientSecretReader } from './client-secret.ts';
import { CodeLogin } from './code-login.ts';
import type { OneTimeCodes } from './codes.ts';
import { sha256 } from './digest.ts';
import { LoginPages } from './login-page.ts';
import type { LoginWay } from './login-way.ts';
import { OpenidFlows } from './openid-flows.ts';
import { OpenidLogin } from './openid-login.ts';
import { SessionCookie } from './session-cookie.ts';
import { Sessions } from './sessions.ts';

const hourMs = 3_600_000;

/** Wrong codes of a minute. A guess of 128 bits never hits: the limits keep the log short, and one address cannot lock out the others. */
const codeLimits = { ofAddress: 10, overAll: 100 };

const openidLimits = { ofAddress: 20, overAll: 100 };

export interface AccessServices {
  readonly assets: Assets | undefined;
  readonly codes: OneTimeCodes;
  /** Returns the address of the console's server; undefined while none runs. */
  readonly baseUrl: () => ReturnType<HttpRouteAccess['baseUrl']>;
  /** Clock, epoch ms. */
  readonly now: () => number;
}

/** Everything that decides about who gets in. */
export interface Access {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly login: LoginWay;
}

/** Makes the login and the sessions of a console. Starts nothing. */
export function openAccess(api: PluginApi, { openid, sessionHours = 8 }: ConsoleOptions, services: AccessServices): Access {
  const { state, logger, fetch } = api;
  const { assets, codes, now } = services;
  const baseUrl = (): string => services.baseUrl() ?? '';
  const way = sha256(openid === undefined ? 'code' : JSON.stringify([openid.issuer, openid.clientId, openid.operators]));
  const sessions = new Sessions({ state, ttlMs: sessionHours * hourMs, way, now });
  const cookie = new SessionCookie({ sessions, baseUrl });
  const shared = { cookie, pages: new LoginPages(assets), kernel: () => api.kernel, logger };
  if (openid === undefined) {
    const attempts = new Attempts(state, 'code', codeLimits);
    return { sessions, cookie, login: new CodeLogin({ ...shared, codes, attempts }) };
  }
  const clientSecret = clientSecretReader(openid.clientSecret, {
    kernel: () => api.kernel,
    reveal: revealSecret,
    mask: (value) => api.maskAlso('CONSOLE_CLIENT_SECRET', value),
  });
  const attempts = new Attempts(state, 'openid', openidLimits);
  const flows = new OpenidFlows(state);
  const login = new OpenidLogin({ ...shared, options: openid, flows, attempts, baseUrl, clientSecret, oauth: { fetch, now } });
  return { sessions, cookie, login };
}
