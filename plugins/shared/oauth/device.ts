import { setTimeout as timer } from 'node:timers/promises';
import { type JsonObject, ToolkitError } from '../../../kernel/index.ts';
import { type EndpointRequest, failuresOf, libraryParts, type OAuthServices } from './endpoint.ts';
import { type Failures, oauthFailureOf } from './failures.ts';
import { addressProblem } from './guarded-request.ts';
import { readAnswer } from './token-answer.ts';
import { requestTokens, withResource } from './token-endpoint.ts';
import type { DeviceAuthorization, OAuthSettings, TokenSet } from './types.ts';

/** Life of a device code that the answer does not tell, and the most that is waited, in milliseconds. */
const defaultLifeMs = 15 * 60_000;
const maxLifeMs = 60 * 60_000;

/** Interval without one in the answer (RFC 8628, 3.2), and the most that is kept, in milliseconds. */
const defaultIntervalMs = 5000;
const maxIntervalMs = 60_000;

/** Longer waiting after `slow_down` (RFC 8628, 3.5), in milliseconds. */
const slowDownMs = 5000;

/** Asks for a code that the person enters at the provider (RFC 8628, 3.1). */
export async function beginDevice(
  settings: OAuthSettings,
  services: OAuthServices,
  scopes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<DeviceAuthorization> {
  const url = requiredUrl(settings.deviceUrl, settings.provider, 'device_url');
  const endpoint: EndpointRequest = { subject: 'The device request', url, secrets: {}, signal };
  const failures = failuresOf(settings, endpoint);
  const read = (answer: Parameters<typeof readAnswer>[0]): JsonObject => deviceMembers(readAnswer(answer, failures), settings, failures);
  const { library, server, client, auth, options } = await libraryParts(settings, services, endpoint, failures, read);
  const scope = scopes.length === 0 ? {} : { scope: scopes.join(settings.scopeSeparator) };
  const parameters = { ...settings.authorizationParams, ...withResource(settings), ...scope };
  const response = await library.deviceAuthorizationRequest(server, client, auth, parameters, options);
  const answer = await library.processDeviceAuthorizationResponse(server, client, response);
  return {
    deviceCode: answer.device_code,
    userCode: answer.user_code,
    verificationUri: answer.verification_uri,
    ...(answer.verification_uri_complete === undefined ? {} : { verificationUriComplete: answer.verification_uri_complete }),
    expiresInMs: answer.expires_in * 1000,
    intervalMs: (answer.interval ?? defaultIntervalMs / 1000) * 1000,
    scopes,
  };
}

/** Asks for the tokens at the server's interval (RFC 8628, 3.4), more slowly after a lost answer. Throws `refused` when the code has expired. */
export async function finishDevice(
  settings: OAuthSettings,
  services: OAuthServices,
  device: DeviceAuthorization,
  signal: AbortSignal | undefined,
): Promise<TokenSet> {
  const { wait = defaultWait } = services;
  const secrets = { DEVICE_CODE: device.deviceCode };
  const parameters = { device_code: device.deviceCode };
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
  const request = { grantType, parameters, url: settings.tokenUrl, secrets, scopes: device.scopes, readsIdToken: true, signal };
  let intervalMs = Math.min(device.intervalMs, maxIntervalMs);
  // Waited time and no clock: one that is set must not end the login.
  for (let waitedMs = intervalMs; waitedMs <= device.expiresInMs; waitedMs += intervalMs) {
    await waited(wait, intervalMs, settings, signal);
    try {
      return await requestTokens(settings, services, request);
    } catch (error) {
      intervalMs = nextInterval(error, intervalMs);
    }
  }
  throw failuresOf(settings, { subject: 'The device login', url: settings.tokenUrl, secrets, signal }).refused('expired_token', undefined);
}

/** Returns the interval after a failure; throws the failure when it ends the login. */
function nextInterval(error: unknown, intervalMs: number): number {
  const failure = oauthFailureOf(error);
  if (failure?.error === 'authorization_pending') return intervalMs;
  if (failure?.error === 'slow_down' || failure?.error === 'http_429') return intervalMs + slowDownMs;
  // RFC 8628, 3.5: asks less often when connections fail.
  if (ToolkitError.is(error) && error.code === 'UPSTREAM_UNAVAILABLE') return Math.min(intervalMs * 2, maxIntervalMs);
  throw error;
}

function deviceMembers(answer: JsonObject, { operatorOrigins }: OAuthSettings, failures: Failures): JsonObject {
  const uri = answer['verification_uri'] ?? answer['verification_url'];
  const complete = answer['verification_uri_complete'] ?? undefined;
  // A person opens them: an address of another scheme could run a program.
  for (const url of [uri, complete ?? uri]) {
    const problem = typeof url === 'string' ? addressProblem(url, operatorOrigins) : 'there is none';
    if (problem !== undefined) throw failures.unanswered(`its "verification_uri" cannot be used: ${problem}`);
  }
  const userCode = String(answer['user_code'] ?? '');
  if (!/^[\x20-\x7e]{1,64}$/.test(userCode))
    throw failures.unanswered('expected "user_code" of at most 64 characters, received something else');
  if (typeof answer['device_code'] !== 'string' || answer['device_code'] === '')
    throw failures.unanswered('expected "device_code" in the answer, received none');
  const members = { device_code: answer['device_code'], user_code: userCode, verification_uri: uri, verification_uri_complete: complete };
  const lifeS = positive(answer['expires_in'], defaultLifeMs / 1000, maxLifeMs / 1000);
  const intervalS = positive(answer['interval'], defaultIntervalMs / 1000, maxIntervalMs / 1000);
  return { ...members, expires_in: lifeS, interval: intervalS } as JsonObject;
}

function positive(value: unknown, otherwise: number, most: number): number {
  const number = Number(value);
  return number > 0 ? Math.min(number, most) : otherwise;
}

function requiredUrl(url: string | undefined, provider: string, key: string): string {
  if (url !== undefined) return url;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `The provider "${provider}" has no "${key}": it has no login by device. Add it to its "oauth2".`,
  );
}

async function waited(
  wait: NonNullable<OAuthServices['wait']>,
  ms: number,
  settings: OAuthSettings,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await wait(ms, signal);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    throw failuresOf(settings, { subject: 'The device login', url: settings.tokenUrl, secrets: {}, signal }).aborted(false, error);
  }
}

async function defaultWait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await timer(ms, undefined, signal === undefined ? {} : { signal });
}
