import { excerpt, messageOf, type OutboundFetch, ToolkitError } from '../../../kernel/index.ts';
import { parseRetryAfterMs } from '../../shared/http/status.ts';
import { signedHeaders } from './signature.ts';
import type { Webhook } from './webhook-options.ts';

/** Outcome of one attempt. `gone`: the receiver wants no more attempts. */
export type Sent =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  /** `message`: the reason, without a URL or text of the receiver. */
  | { readonly kind: 'failed'; readonly message: string; readonly retryAfterMs?: number };

export interface Post {
  readonly id: string;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Time limit, in milliseconds. */
  readonly timeoutMs: number;
  /** Clock, epoch ms. */
  readonly now: number;
}

/** Maximum size of an answer that is read, in bytes: nothing in it counts, but an answer that was read frees the connection. */
const maxAnswerBytes = 16 * 1024;

/** Sends a signed message once. Follows no redirect. Never rejects. */
export async function postMessage(fetch: OutboundFetch, { url, keys }: Webhook, post: Post): Promise<Sent> {
  const timeLimit = AbortSignal.timeout(post.timeoutMs);
  const signal = AbortSignal.any([post.signal, timeLimit]);
  const parts = { id: post.id, timestamp: Math.floor(post.now / 1000), body: post.body };
  const headers = { 'content-type': 'application/json', 'user-agent': 'toolkit-webhook', ...signedHeaders(parts, keys) };
  try {
    const init = { method: 'POST', headers, body: post.body, redirect: 'manual', signal } as const;
    return await sentBy(await fetch(url, init, { trust: 'operator', hostFrom: 'definition' }));
  } catch (error) {
    return { kind: 'failed', message: timeLimit.aborted ? `it did not answer within ${post.timeoutMs} ms` : failureOf(error) };
  }
}

async function sentBy(response: Response): Promise<Sent> {
  const { status, headers, ok } = response;
  await drop(response);
  if (ok) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  const isRedirect = status >= 300 && status < 400;
  const message = `it answered ${status}${isRedirect ? ', and redirects are not followed' : ''}`;
  const retryAfterMs = parseRetryAfterMs(headers);
  return { kind: 'failed', message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Reads a short answer, and ends the connection of a longer one. */
async function drop({ body }: Response): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > maxAnswerBytes) return;
    }
  } catch {
    // The status has come, and it is all that counts.
  }
}

/** Returns the reason of a failed request. The URL may hold a secret, so only codes and our own messages are taken. */
function failureOf(error: unknown): string {
  for (let cause = error; cause instanceof Error || ToolkitError.is(cause); cause = cause.cause) {
    if (ToolkitError.is(cause)) return excerpt(messageOf(cause));
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string') return `the request failed (${excerpt(code, 50)})`;
  }
  return 'the request failed';
}
