import { type CallContext, isLarge, sentence, ToolkitError, toUrl } from '../../../kernel/index.ts';
import type { Exchange } from '../exchange.ts';

/** Limit of a URL in an error, in characters. */
const maxUrl = 300;

/** Names of query parameters that may hold a signature or a key. */
const secretNames = /sig|token|key|secret|password|credential|auth|code/i;

/** The state of the waiting when it ends without a result. */
export interface PollEnd {
  /** The first answer, by which the service accepted the work. */
  readonly accepted: Exchange;
  readonly last: Exchange;
  readonly statusUrl: URL;
  readonly count: number;
}

/** Makes the error of a service that has no result within the limit. `waitMs`: the time that it asks to wait once more. */
export function notReadyError(
  { accepted, last, statusUrl, count }: PollEnd,
  maxMs: number,
  waitMs: number,
  state: string,
  context: CallContext,
): ToolkitError {
  const { tool } = context;
  const shown = shownUrl(statusUrl, context);
  const { status, body } = last.read;
  const message = `The service has no result of "${tool.name}" within ${maxMs} ms: it answered ${status}${state === '' ? '' : ` (${state})`} after ${count} ${count === 1 ? 'question' : 'questions'}.`;
  const advice = shown === undefined ? '' : ` It goes on there: ${shown} says how far it is.`;
  return new ToolkitError('TIMEOUT', message + advice, {
    tool: tool.name,
    status: accepted.read.status,
    carriedOut: true,
    retryAfterMs: waitMs,
    ...(shown === undefined ? {} : { statusUrl: shown }),
    ...(isLarge(body) ? {} : { output: body }),
  });
}

/** Returns the error of a request for the status, with the fact that the work had been accepted. */
export function pollError(error: ToolkitError, { accepted, statusUrl }: PollEnd, context: CallContext): ToolkitError {
  const shown = shownUrl(statusUrl, context);
  const { status: polledStatus, ...details } = error.details;
  return new ToolkitError(
    error.code,
    `${sentence(error.message)} The service had accepted the work before${shown === undefined ? '' : `; ${shown} says how far it is`}.`,
    {
      ...details,
      status: accepted.read.status,
      ...(polledStatus === undefined ? {} : { polledStatus }),
      carriedOut: true,
      ...(shown === undefined ? {} : { statusUrl: shown }),
    },
    { cause: error },
  );
}

/** Returns a URL for an error: without a query that may hold a secret. Undefined for one that holds a secret elsewhere, or is too long. */
function shownUrl(url: URL, { mask }: CallContext): string | undefined {
  const shown = toUrl(url);
  if ([...shown.searchParams.keys()].some((name) => secretNames.test(name))) shown.search = '';
  return shown.href.length <= maxUrl && mask(shown.href) === shown.href ? shown.href : undefined;
}
