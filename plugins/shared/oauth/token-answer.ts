import { isPlainObject, type JsonObject, readJson } from '../../../kernel/index.ts';
import { textAt, valueAt } from './answer-path.ts';
import type { Failures } from './failures.ts';
import type { HttpAnswer } from './guarded-request.ts';
import { withReadableIdToken } from './id-token.ts';

/** Maximum length of a token. Longer ones fit no header. */
const maxTokenLength = 64 * 1024;

/** Longest delay that a service can ask for, in milliseconds. */
const maxRetryAfterMs = 60 * 60_000;

/** Codes of services that mean one of the standard (RFC 6749, 5.2; RFC 8628, 3.5). */
const standardCodes: Readonly<Record<string, string>> = {
  bad_refresh_token: 'invalid_grant',
  bad_verification_code: 'invalid_grant',
  code_already_used: 'invalid_grant',
  code_expired: 'invalid_grant',
  invalid_auth_code: 'invalid_grant',
  invalid_code: 'invalid_grant',
  invalid_refresh_token: 'invalid_grant',
  bad_client_id: 'invalid_client',
  bad_client_secret: 'invalid_client',
  incorrect_client_credentials: 'invalid_client',
  invalid_client_id: 'invalid_client',
  code_pending: 'authorization_pending',
  incorrect_device_code: 'invalid_grant',
  token_expired: 'expired_token',
};

/**
 * Returns the object of an answer. A service that refuses with status 200 is refused as well. Throws `refused` and `unanswered`: nothing that it
 * says is trusted to have a shape.
 */
export function readAnswer({ status, headers, text }: HttpAnswer, failures: Failures): JsonObject {
  if (status >= 500 || status < 200 || status === 408) throw failures.unanswered(`expected the status 200, received ${status}`);
  if (status >= 300 && status < 400) throw failures.unanswered(`expected the status 200, received ${status}: a redirect is not followed`);
  const body = parsed(text, headers.get('content-type') ?? '');
  if (body !== undefined) failures.addSecrets(tokensIn(body));
  const refusal = body === undefined ? undefined : refusalIn(body, status);
  if (status >= 400 || refusal !== undefined) throw refusedError(status, headers, refusal, failures);
  if (body === undefined) throw failures.unanswered(`expected a JSON object, received ${shapeOf(text)}`);
  return body;
}

/**
 * Returns a token answer as the library reads it: `token_type` is there, `expires_in` is a positive number or absent, empty members are absent,
 * and tokens that lie deeper (`paths`) are at the top.
 */
export function tokenMembers(answer: JsonObject, paths: readonly string[], failures: Failures): JsonObject {
  const home = homeOfTokens(answer, paths);
  const accessToken =
    tokenIn(home, 'access_token', failures) ?? paths.map((path) => textAt(answer, path)).find((text) => text !== undefined);
  if (accessToken === undefined) throw failures.unanswered('expected "access_token" in the answer, received none');
  const type = String(home['token_type'] ?? 'bearer').toLowerCase();
  // They need a proof with every request; services write other words for their own kinds of bearer tokens.
  if (type === 'dpop' || type === 'mac') throw failures.unanswered(`expected a bearer token, received "${type}"`);
  const seconds = Number(home['expires_in'] ?? home['expires'] ?? Number.NaN);
  const members = {
    access_token: accessToken,
    token_type: 'bearer',
    refresh_token: tokenIn(home, 'refresh_token', failures),
    id_token: withReadableIdToken(tokenIn(home, 'id_token', failures) ?? tokenIn(answer, 'id_token', failures)),
    expires_in: seconds > 0 && Number.isSafeInteger(Math.round(seconds * 1000)) ? seconds : undefined,
    scope: scopeText(home['scope']),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Finds the object with the tokens: the answer itself, else the one that a path names, such as `authed_user`. */
function homeOfTokens(answer: JsonObject, paths: readonly string[]): JsonObject {
  if (typeof answer['access_token'] === 'string' && answer['access_token'] !== '') return answer;
  for (const path of paths) {
    const [, parent] = /^(.+)\.access_token$/.exec(path) ?? [];
    const found = parent === undefined ? undefined : valueAt(answer, parent);
    if (isPlainObject(found) && typeof (found as JsonObject)['access_token'] === 'string') return found as JsonObject;
  }
  return answer;
}

function tokenIn(home: JsonObject, name: string, failures: Failures): string | undefined {
  const value = home[name];
  if (value === undefined || value === null || value === '') return undefined;
  // A line end in a token would begin another header.
  if (typeof value === 'string' && value.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(value)) return value;
  throw failures.unanswered(`expected "${name}" as one word of at most ${maxTokenLength} characters, received something else`);
}

function scopeText(scope: unknown): string | undefined {
  if (Array.isArray(scope)) return scope.filter((one) => typeof one === 'string').join(' ');
  return typeof scope === 'string' ? scope : undefined;
}

function parsed(text: string, contentType: string): JsonObject | undefined {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return Object.fromEntries(new URLSearchParams(text));
  try {
    const value = readJson(text);
    return isPlainObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

interface Refusal {
  readonly error: string;
  readonly description: string | undefined;
}

function refusalIn(body: JsonObject, status: number): Refusal | undefined {
  const { error, ok } = body;
  const isRefused = status >= 400 || ok === false || (typeof error === 'string' ? error !== '' : isPlainObject(error));
  if (!isRefused) return undefined;
  const names = ['error', 'error.code', 'error.type', 'code', 'status', 'errorCode'];
  const found = names.map((name) => textAt(body, name)).find((name) => name !== undefined && /^[A-Za-z][\w.-]{0,63}$/.test(name));
  const texts = ['error_description', 'error.message', 'message', 'error_message', ...(found === undefined ? ['error'] : [])];
  return {
    error: standardCode(found ?? `http_${status}`),
    description: texts.map((name) => textAt(body, name)).find((text) => text !== undefined),
  };
}

function standardCode(code: string): string {
  const lower = code.toLowerCase();
  return Object.hasOwn(standardCodes, lower) ? (standardCodes[lower] ?? code) : lower;
}

function refusedError(status: number, headers: Headers, refusal: Refusal | undefined, failures: Failures): Error {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const wait = status === 429 && seconds > 0 ? { retryAfterMs: Math.min(seconds * 1000, maxRetryAfterMs) } : {};
  return failures.refused(refusal?.error ?? `http_${status}`, refusal?.description, { status, ...wait });
}

function tokensIn(body: JsonObject): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(['access_token', 'refresh_token', 'id_token'].map((name) => [name.toUpperCase(), textAt(body, name)]));
}

function shapeOf(text: string): string {
  if (text.trim() === '') return 'nothing';
  return /^\s*</.test(text) ? 'HTML' : 'something else';
}
