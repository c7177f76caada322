import { hash, randomUUID } from 'node:crypto';
import { type Call, type CallContext, parseUrl, ToolkitError } from '../../kernel/index.ts';
import { exists } from '../shared/confined-files/save-stream.ts';
import { isSafe } from './definition/execution.ts';
import type { HttpDefinition } from './definition/http-definition.ts';
import type { Retry } from './definition/retry.ts';
import { sendFollowing } from './redirects.ts';
import { lookupOf } from './request/lookup.ts';
import { type RenderedRequest, renderRequest } from './request/request.ts';
import { hostPlaceholders } from './request/url.ts';
import { connectionError } from './response/failure.ts';
import { isJudged, readAnswer } from './response/read-answer.ts';
import type { ReadLimits, ReadResponse } from './response/response.ts';
import { savePlace, takenError } from './response/save-answer.ts';

/** One request and its answer. */
export interface Exchange {
  /** The call with the credentials that the service accepted. */
  readonly call: Call;
  readonly headers: Headers;
  readonly read: ReadResponse;
}

interface Sent {
  /** The call with the credentials that were sent. */
  readonly call: Call;
  readonly response: Response;
}

interface Sending {
  /** Returns the request with credentials that are valid now. */
  readonly current: () => Promise<RenderedRequest>;
  readonly hostFrom: 'definition' | 'parameter';
  readonly retry: Retry | undefined;
}

/** The header by which a service recognizes a repeated request, with its value. */
type OnceHeader = readonly [string, string] | undefined;

/**
 * Sends the call and reads its answer. After refused credentials, sends it once more with others, if the stores have others
 * and the call may be repeated. Throws the error that the answer means.
 */
export async function exchange(http: HttpDefinition, call: Call, context: CallContext, limits: ReadLimits): Promise<Exchange> {
  // A value for each request, which stays the same when that request is sent again.
  const once = http.idempotency.of(call.tool);
  const header: OnceHeader =
    once === undefined ? undefined : [once.header, call.once === undefined ? randomUUID() : nameOf(call, call.once)];
  const place = savePlace(http.saveTo.of(call.tool), call.parameters);
  // Checked before anything is sent that may have an effect.
  if (place !== undefined && !place.overwrite && (await exists(place.path))) throw takenError(place.path, call.tool.name);
  const first = await attempt(http, call, context, limits, header);
  if (first.error === undefined) return first;
  if (first.error.code !== 'AUTH_FAILED') throw first.error;
  const credentials = await context.renewCredentials(first.call);
  if (credentials === undefined || !mayRepeat(http, call)) throw first.error;
  const second = await attempt(http, { ...first.call, credentials }, context, limits, header);
  if (second.error !== undefined) throw second.error;
  return second;
}

async function attempt(
  http: HttpDefinition,
  call: Call,
  context: CallContext,
  limits: ReadLimits,
  once: OnceHeader,
): Promise<Exchange & { readonly error?: ToolkitError }> {
  const { call: sent, response } = await sendWith(http, call, context, once);
  const { headers, ok, status } = response;
  const rule = http.errorWhen.of(call.tool) ?? http.errorWhen.ofProvider(call.tool);
  const place = savePlace(http.saveTo.of(call.tool), call.parameters);
  try {
    const { read, error } = await readAnswer(response, { rule, place, limits }, context);
    return { call: sent, headers, read, ...(error === undefined ? {} : { error }) };
  } catch (error) {
    const failure = connectionError(context, parseUrl(response.url)?.host ?? 'the service', error);
    // An unreadable answer does not undo its status, unless only the answer says whether the request succeeded.
    const isDone = ok && !context.signal.aborted && ToolkitError.is(failure);
    throw isDone ? failure.with({ status, carriedOut: !isJudged(rule, headers) }) : failure;
  }
}

/**
 * Returns the idempotency value of a call that its host has named: the same for each attempt, and different for every other
 * caller and tool.
 */
function nameOf({ caller, tool }: Call, once: string): string {
  return hash('sha256', JSON.stringify([caller, tool.name, once]), 'hex');
}

/** True for a safe method (RFC 9110, 9.2.1), or where the definition of the tool or its provider says that a 401 has no effect. */
function mayRepeat({ execution, retry, repeatAfter401 }: HttpDefinition, { tool }: Call): boolean {
  return isSafe(execution.read(tool).method) || retry.of(tool)?.on?.includes(401) === true || repeatAfter401.ofProvider(tool) === true;
}

async function sendWith(http: HttpDefinition, call: Call, context: CallContext, once: OnceHeader): Promise<Sent> {
  const execution = http.execution.read(call.tool);
  let sent = call;
  const render = async (live: Call): Promise<RenderedRequest> => {
    sent = live;
    const request = await renderRequest(execution, await lookupOf(live, execution, context), (name) => live.credentials.has(name));
    for (const value of request.composed) context.maskAlso('credentials', value);
    if (once !== undefined) request.headers.set(...once);
    return request;
  };
  let request = await render(await context.withLiveCredentials(call));
  // The credentials may have expired before a request is repeated.
  const current = async (): Promise<RenderedRequest> => {
    const live = await context.withLiveCredentials(sent);
    if (live !== sent) request = await render(live);
    return request;
  };
  const hostFrom = hostPlaceholders(execution.url).every((name) => call.credentials.has(name)) ? 'definition' : 'parameter';
  try {
    return { call: sent, response: await send(call, context, request, { current, hostFrom, retry: http.retry.of(call.tool) }) };
  } catch (error) {
    throw connectionError(context, request.url.host, error);
  }
}

/** Sends the request, and again where the definition says `retry`. Throws the errors of fetch. */
async function send(
  { tool }: Call,
  context: CallContext,
  request: RenderedRequest,
  { current, hostFrom, retry }: Sending,
): Promise<Response> {
  const { default: ky, HTTPError } = await import('ky');
  const { signal, fetch } = context;
  const maskAlso = (name: string, value: string): void => context.maskAlso(name, value);
  try {
    return await ky(request.url, {
      method: request.method,
      signal,
      timeout: false,
      retry: retry === undefined ? 0 : retryOptions(retry, request.method, signal),
      hooks: { beforeRetry: [({ error }) => (error instanceof HTTPError ? error.response.body?.cancel() : undefined)] },
      fetch: async () => sendFollowing(await current(), { tool, fetch, signal, hostFrom, maskAlso }),
    });
  } catch (error) {
    if (error instanceof HTTPError) return error.response;
    throw error;
  }
}

function retryOptions(retry: Retry, method: string, signal: AbortSignal) {
  const { initial_ms: initialMs = 300, maximum_ms: maximumMs = 30_000 } = retry.backoff ?? {};
  // The same credentials are not sent again after a 401.
  const statusCodes = (retry.on ?? [429, 500, 502, 503, 504]).filter((status) => status !== 401);
  return {
    limit: retry.attempts - 1,
    methods: [method.toLowerCase() as 'get'],
    statusCodes,
    afterStatusCodes: statusCodes,
    maxRetryAfter: maximumMs,
    delay: (attempt: number) => Math.min(maximumMs, initialMs * 2 ** (attempt - 1)),
    jitter: true,
    // A request that the guard or a redirect refuses is refused again. A file that has changed since is not sent.
    shouldRetry: ({ error }: { error: unknown }) =>
      signal.aborted || ToolkitError.is(error) || ToolkitError.is((error as Error).cause) ? false : undefined,
  };
}
