import { messageOf, type OutboundFetch, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import { limitedText } from '../http/limited-text.ts';
import { isLoopback } from '../http/loopback.ts';
import type { Failures } from './failures.ts';

/** Time limit of a request to an authorization server, in milliseconds. */
export const requestTimeoutMs = 15_000;

/** Maximum size of an answer. */
export const maxAnswerBytes = 1024 * 1024;

export interface RequestTarget {
  readonly url: string;
  /** See `OAuthSettings.operatorOrigins`. */
  readonly operatorOrigins: readonly string[];
  readonly failures: Failures;
}

/** An answer whose body is here. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request to an authorization server. Ends it after 15 s or 1 MiB, and follows no redirect: it would take a secret elsewhere. Throws
 * `unsent`, `unanswered` or ABORTED.
 */
export async function guardedRequest(
  target: RequestTarget,
  init: RequestInit,
  fetch: OutboundFetch,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const { url, operatorOrigins, failures } = target;
  checkAddress(target);
  if (signal?.aborted === true) throw failures.aborted(false, signal.reason);
  return limitedRequest(url, init, { operatorOrigins, failures, fetch, signal });
}

interface Sending extends Omit<RequestTarget, 'url'> {
  readonly fetch: OutboundFetch;
  readonly signal: AbortSignal | undefined;
}

async function limitedRequest(url: string, init: RequestInit, { operatorOrigins, failures, fetch, signal }: Sending): Promise<HttpAnswer> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), requestTimeoutMs);
  try {
    const response = await fetch(
      url,
      { ...init, redirect: 'manual', signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]) },
      { hostFrom: 'definition', trust: isOperatorsOrigin(url, operatorOrigins) ? 'operator' : 'package' },
    );
    return { status: response.status, headers: response.headers, text: await limitedText(response, maxAnswerBytes) };
  } catch (error) {
    if (signal?.aborted === true) throw failures.aborted(true, error);
    if (limit.signal.aborted) throw failures.unanswered(`it was not complete within ${requestTimeoutMs / 1000} s`, error);
    if (isUnsent(error)) throw failures.unsent(innermostMessage(error), error);
    throw failures.unanswered(innermostMessage(error), error);
  } finally {
    clearTimeout(timer);
  }
}

/** Throws `unsent` for an address that must not get secrets. */
export function checkAddress({ url, operatorOrigins, failures }: RequestTarget): void {
  const problem = addressProblem(url, operatorOrigins);
  if (problem !== undefined) throw failures.unsent(problem, undefined, 'Correct the address in the settings of the provider.');
}

/** Describes the reason why an address cannot get secrets: not https, except on this machine where the operator wrote it. Continues a sentence. */
export function addressProblem(url: string, operatorOrigins: readonly string[]): string | undefined {
  const parsed = parseUrl(url);
  if (parsed === undefined) return 'the address is no URL';
  if (parsed.username !== '' || parsed.password !== '') return 'its address has a user name or password in it';
  if (parsed.protocol === 'https:') return undefined;
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  if (parsed.protocol === 'http:' && isLoopback(host) && operatorOrigins.includes(parsed.origin)) return undefined;
  return `expected an address with https (http only on this machine, written by the operator), received ${parsed.protocol}//${parsed.host}`;
}

function isOperatorsOrigin(url: string, operatorOrigins: readonly string[]): boolean {
  return operatorOrigins.includes(parseUrl(url)?.origin ?? '');
}

const unsentCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EPROTO']);

/** True when no connection was opened: a secret can have reached nothing. */
function isUnsent(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (ToolkitError.is(cause)) return cause.code === 'OUTBOUND_BLOCKED' || cause.code === 'NOT_FOUND';
    const { code = '', syscall } = cause as NodeJS.ErrnoException;
    // A certificate is refused before the request is written.
    if (syscall === 'connect' || unsentCodes.has(code) || /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/.test(code)) return true;
  }
  return false;
}

function innermostMessage(error: unknown): string {
  let found = error;
  while (found instanceof Error && !ToolkitError.is(found) && found.cause instanceof Error) found = found.cause;
  return messageOf(found);
}
