import { hash, randomUUID } from 'node:crypto';
import { type Call, type CallContext, parseUrl, ToolkitError } from '../../kernel/index.ts';
import { exists } from '../shared/confined-files/save-stream.ts';
import { isSafe } from './definition/execution.ts';
import type { HttpDefinition } from './definition/http-definition.ts';
import type { Retry } from './definition/retry.ts';
import { sendWithRedirects } from './redirects.ts';
import { chooseBody } from './request/choose-body.ts';
import { makeLookup } from './request/lookup.ts';
import { type RenderedRequest, renderRequest } from './request/request.ts';
import { hostPlaceholders } from './request/url.ts';
import { connectionError } from './response/failure.ts';
import { dependsOnContent, readAnswer } from './response/read-answer.ts';
import type { ReadLimits, ReadResponse } from './response/response.ts';
import { fileExistsError, saveTargetOf } from './response/save-answer.ts';

/** One request and its answer. */
export interface Exchange {
  /** The call with the credentials that the service accepted. */
  readonly call: Call;
  readonly headers: Headers;
  readonly read: ReadResponse;
}

interface SentCall {
  /** The call with the credentials that were sent. */
  readonly call: Call;
  readonly response: Response;
}

interface SendOptions {
  /** Returns the request with credentials that are valid now. */
  readonly currentRequest: () => Promise<RenderedRequest>;
  readonly hostFrom: 'definition' | 'parameter';
  readonly retry: Retry | undefined;
}

/** The header by which a service recognizes a repeated request, with its value. */
type IdempotencyHeader = readonly [string, string] | undefined;

/**
 * Sends the call and reads its answer. After refused credentials, sends it once more with others, if the stores have others
 * and the call may be repeated. Throws the error that the answer means.
 */
export async function exchange(http: HttpDefinition, call: Call, context: CallContext, limits: ReadLimits): Promise<Exchange> {
  // A value for each request, which stays the same when that request is sent again.
  const idempotency = http.idempotency.of(call.tool);
  const idempotencyHeader: IdempotencyHeader =
    idempotency === undefined
      ? undefined
      : [idempotency.header, call.once === undefined ? randomUUID() : idempotencyValue(call, call.once)];
  const saveTarget = saveTargetOf(http.saveTo.of(call.tool), call.parameters);
  // Checked before anything is sent that may have an effect.
  if (saveTarget !== undefined && !saveTarget.overwrite && (await exists(saveTarget.path)))
    throw fileExistsError(saveTarget.path, call.tool.name);
  const first = await attempt(http, call, context, limits, idempotencyHeader);
  if (first.error === undefined) return first;
  if (first.error.code !== 'AUTH_FAILED') throw first.error;
  const credentials = await context.renewCredentials(first.call);
  if (credentials === undefined || !mayRepeat(http, call)) throw first.error;
  const second = await attempt(http, { ...first.call, credentials }, context, limits, idempotencyHeader);
  if (second.error !== undefined) throw second.error;
  return second;
}

async function attempt(
  http: HttpDefinition,
  call: Call,
  context: CallContext,
  limits: ReadLimits,
  idempotencyHeader: IdempotencyHeader,
): Promise<Exchange & { readonly error?: ToolkitError }> {
  const { call: sentCall, response } = await sendWithCredentials(http, call, context, idempotencyHeader);
  const { headers, ok, status } = response;
  const rule = http.errorWhen.of(call.tool) ?? http.errorWhen.ofProvider(call.tool);
  const saveTarget = saveTargetOf(http.saveTo.of(call.tool), call.parameters);
  try {
    const { read, error } = await readAnswer(response, { rule, saveTarget, limits }, context);
    return { call: sentCall, headers, read, ...(error === undefined ? {} : { error }) };
  } catch (error) {
    const failure = connectionError(context, parseUrl(response.url)?.host ?? 'the service', error);
    // An unreadable answer does not undo its status, unless only the answer says whether the request succeeded.
    const isDone = ok && !context.signal.aborted && ToolkitError.is(failure);
    throw isDone ? failure.with({ status, carriedOut: !dependsOnContent(rule, headers) }) : failure;
  }
}

/**
 * Returns the idempotency value of a call that its host has named: the same for each attempt, and different for every other
 * caller and tool.
 */
function idempotencyValue({ caller, tool }: Call, once: string): string {
  return hash('sha256', JSON.stringify([caller, tool.name, once]), 'hex');
}

/** True for a safe method (RFC 9110, 9.2.1), or where the definition of the tool or its provider says that a 401 has no effect. */
function mayRepeat({ execution, retry, repeatAfter401 }: HttpDefinition, { tool }: Call): boolean {
  return isSafe(execution.of(tool).method) || retry.of(tool)?.on?.includes(401) === true || repeatAfter401.ofProvider(tool) === true;
}

async function sendWithCredentials(
  http: HttpDefinition,
  call: Call,
  context: CallContext,
  idempotencyHeader: IdempotencyHeader,
): Promise<SentCall> {
  const execution = http.execution.of(call.tool);
  let sentCall = call;
  const render = async (liveCall: Call): Promise<RenderedRequest> => {
    sentCall = liveCall;
    const lookup = await makeLookup(liveCall, execution, context);
    const request = await renderRequest(chooseBody(execution, liveCall, lookup), lookup, (name) => liveCall.credentials.has(name));
    for (const value of request.composed) context.maskAlso('credentials', value);
    if (idempotencyHeader !== undefined) request.headers.set(...idempotencyHeader);
    return request;
  };
  let request = await render(await context.withLiveCredentials(call));
  // The credentials may have expired before a request is repeated.
  const currentRequest = async (): Promise<RenderedRequest> => {
    const liveCall = await context.withLiveCredentials(sentCall);
    if (liveCall !== sentCall) request = await render(liveCall);
    return request;
  };
  const hostFrom = hostPlaceholders(execution.url).every((name) => call.credentials.has(name)) ? 'definition' : 'parameter';
  try {
    return { call: sentCall, response: await send(call, context, request, { currentRequest, hostFrom, retry: http.retry.of(call.tool) }) };
  } catch (error) {
    throw connectionError(context, request.url.host, error);
  }
}

/** Sends the request, and again where the definition says `retry`. Throws the errors of fetch. */
async function send(
  { tool }: Call,
  context: CallContext,
  request: RenderedRequest,
  { currentRequest, hostFrom, retry }: SendOptions,
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
      fetch: async () => sendWithRedirects(await currentRequest(), { tool, fetch, signal, hostFrom, maskAlso }),
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
