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
  /** With the credentials that the service took. */
  readonly call: Call;
  readonly headers: Headers;
  readonly read: ReadResponse;
}

interface Sent {
  /** With the credentials that were sent. */
  readonly call: Call;
  readonly response: Response;
}

interface Sending {
  /** The request with credentials that are good now. */
  readonly current: () => Promise<RenderedRequest>;
  readonly hostFrom: 'definition' | 'parameter';
  readonly retry: Retry | undefined;
}

/** The header by which a service knows that it has had a request already, with its value. */
type OnceHeader = readonly [string, string] | undefined;

/**
 * Sends the call and reads its answer; after a refusal of its credentials once more with other ones, if the stores have other ones and
 * the call may be repeated. Throws what the answer means when it is a failure.
 */
export async function exchange(http: HttpDefinition, call: Call, context: CallContext, limits: ReadLimits): Promise<Exchange> {
  // Each request has its own; it is the same one whenever that request is sent again.
  const once = http.idempotency.of(call.tool);
  const header: OnceHeader =
    once === undefined ? undefined : [once.header, call.once === undefined ? randomUUID() : nameOf(call, call.once)];
  const place = savePlace(http.saveTo.of(call.tool), call.parameters);
  // Before anything is sent that may have an effect.
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
    // An answer that cannot be read does not undo its status, save where only the answer says what that means.
    const isDone = ok && !context.signal.aborted && ToolkitError.is(failure);
    throw isDone ? failure.with({ status, carriedOut: !isJudged(rule, headers) }) : failure;
  }
}

/** The same for each attempt of a call that its host has named, and for nobody else's. */
function nameOf({ caller, tool }: Call, once: string): string {
  return hash('sha256', JSON.stringify([caller, tool.name, once]), 'hex');
}

/** A safe method (RFC 9110, 9.2.1), or a definition that says so: of the tool, or of its provider, whose service has done nothing then. */
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
  // A request that is repeated may come after its credentials have died.
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

/** Sends the request, again where the definition says `retry`. Throws what fetch throws. */
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
  // After a 401 the same credentials are not sent again.
  const statusCodes = (retry.on ?? [429, 500, 502, 503, 504]).filter((status) => status !== 401);
  return {
    limit: retry.attempts - 1,
    methods: [method.toLowerCase() as 'get'],
    statusCodes,
    afterStatusCodes: statusCodes,
    maxRetryAfter: maximumMs,
    delay: (attempt: number) => Math.min(maximumMs, initialMs * 2 ** (attempt - 1)),
    jitter: true,
    // What the guard or a redirect refuses is refused again, and a file that is another one by now is not sent.
    shouldRetry: ({ error }: { error: unknown }) =>
      signal.aborted || ToolkitError.is(error) || ToolkitError.is((error as Error).cause) ? false : undefined,
  };
}
