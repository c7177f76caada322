import { hash, randomUUID } from 'node:crypto';
import { type Call, type CallContext, parseUrl, ToolkitError } from '../../kernel/index.ts';
import { exists } from '../shared/confined-files/save-stream.ts';
import { type HttpExecution, isSafe } from './definition/execution.ts';
import type { HttpDefinition } from './definition/http-definition.ts';
import { pendingStatuses } from './definition/poll.ts';
import { chooseBody } from './request/choose-body.ts';
import { makeLookup } from './request/lookup.ts';
import { type RenderedRequest, renderRequest } from './request/request.ts';
import { hostPlaceholders } from './request/url.ts';
import { connectionError } from './response/failure.ts';
import { dependsOnContent, readAnswer } from './response/read-answer.ts';
import type { ReadLimits, ReadResponse } from './response/response.ts';
import { fileExistsError, type SaveTarget, saveTargetOf } from './response/save-answer.ts';
import { scopeRefusalOf } from './response/scope-refusal.ts';
import { sendRequest } from './send-request.ts';

/** One request and its answer. */
export interface Exchange {
  /** The call with the credentials that the service accepted. */
  readonly call: Call;
  readonly headers: Headers;
  readonly read: ReadResponse;
  /** The URL of the answer, after redirects. */
  readonly url: URL;
  /** The origin of the request, before redirects. */
  readonly origin: string;
}

interface SentCall {
  /** The call with the credentials that were sent. */
  readonly call: Call;
  readonly response: Response;
  /** The URL of the request, before redirects. */
  readonly requestUrl: URL;
}

/** The way in which a request is made from a call. */
export interface RequestPlan {
  readonly execution: HttpExecution;
  readonly hostFrom: 'definition' | 'parameter';
  /** Returns the file that a successful answer with this status is saved to. */
  readonly saveTargetFor: (status: number) => SaveTarget | undefined;
  readonly idempotencyHeader?: IdempotencyHeader;
  /** True for a request without a body, although the authentication may add a form field. */
  readonly hasNoBody?: true;
}

/** The header by which a service recognizes a repeated request, with its value. */
type IdempotencyHeader = readonly [string, string];

/**
 * Sends the call and reads its answer. After refused credentials, sends it once more with others, if the stores have others
 * and the call may be repeated; after a refusal for want of scopes, if the caller has or gives more. Throws the error that the answer means.
 */
export async function exchange(http: HttpDefinition, call: Call, context: CallContext, limits: ReadLimits): Promise<Exchange> {
  // A value for each request, which stays the same when that request is sent again.
  const idempotency = http.idempotency.of(call.tool);
  const idempotencyHeader: IdempotencyHeader | undefined =
    idempotency === undefined
      ? undefined
      : [idempotency.header, call.once === undefined ? randomUUID() : idempotencyValue(call, call.once)];
  const saveTarget = saveTargetOf(http.saveTo.of(call.tool), call.parameters);
  // Checked before anything is sent that may have an effect.
  if (saveTarget !== undefined && !saveTarget.overwrite && (await exists(saveTarget.path)))
    throw fileExistsError(saveTarget.path, call.tool.name);
  const poll = http.poll.of(call.tool);
  const pending = poll === undefined ? [] : pendingStatuses(poll);
  return exchangeBy(
    http,
    {
      execution: http.execution.of(call.tool),
      hostFrom: hostOriginOf(http, call),
      saveTargetFor: (status) => (pending.includes(status) ? undefined : saveTarget),
      ...(idempotencyHeader === undefined ? {} : { idempotencyHeader }),
    },
    call,
    context,
    limits,
  );
}

/** Returns whether the definition or a parameter decides which host a call goes to. */
export function hostOriginOf(http: HttpDefinition, call: Call): RequestPlan['hostFrom'] {
  return hostPlaceholders(http.execution.of(call.tool).url).every((name) => call.credentials.has(name)) ? 'definition' : 'parameter';
}

/** Does the same as `exchange` for a request of another plan. */
export async function exchangeBy(
  http: HttpDefinition,
  plan: RequestPlan,
  call: Call,
  context: CallContext,
  limits: ReadLimits,
): Promise<Exchange> {
  const send = (sent: Call): Promise<Attempt> => attempt(http, plan, sent, context, limits);
  let last = await send(call);
  if (last.error?.code === 'AUTH_FAILED') {
    const credentials = await context.renewCredentials(last.call);
    if (credentials === undefined || !mayRepeat(http, plan, call)) throw last.error;
    last = await send({ ...last.call, credentials });
  }
  const scopesLacked = last.error === undefined ? undefined : scopeRefusalOf(last.headers, last.read);
  if (scopesLacked !== undefined) {
    const credentials = await context.renewCredentials(last.call, scopesLacked);
    // Also a write: a request that is refused for want of scopes was not carried out (RFC 6750, 3.1; RFC 9110, 15.5.4).
    if (credentials !== undefined) last = await send({ ...last.call, credentials });
  }
  if (last.error !== undefined) throw last.error;
  return last;
}

type Attempt = Exchange & { readonly error?: ToolkitError };

async function attempt(http: HttpDefinition, plan: RequestPlan, call: Call, context: CallContext, limits: ReadLimits): Promise<Attempt> {
  const { call: sentCall, response, requestUrl } = await sendWithCredentials(http, plan, call, context);
  const { headers, ok, status } = response;
  const rule = http.errorWhen.of(call.tool) ?? http.errorWhen.ofProvider(call.tool);
  const url = parseUrl(response.url) ?? requestUrl;
  try {
    const { read, error } = await readAnswer(response, { rule, saveTarget: plan.saveTargetFor(status), limits }, context);
    return { call: sentCall, headers, read, url, origin: requestUrl.origin, ...(error === undefined ? {} : { error }) };
  } catch (error) {
    const failure = connectionError(context, url.host, error);
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
function mayRepeat({ retry, repeatAfter401 }: HttpDefinition, { execution }: RequestPlan, { tool }: Call): boolean {
  return isSafe(execution.method) || retry.of(tool)?.on?.includes(401) === true || repeatAfter401.ofProvider(tool) === true;
}

async function sendWithCredentials(
  http: HttpDefinition,
  { execution, hostFrom, idempotencyHeader, hasNoBody }: RequestPlan,
  call: Call,
  context: CallContext,
): Promise<SentCall> {
  let sentCall = call;
  const render = async (liveCall: Call): Promise<RenderedRequest> => {
    sentCall = liveCall;
    const lookup = await makeLookup(liveCall, execution, context);
    const request = await renderRequest(chooseBody(execution, liveCall, lookup), lookup, (name) => liveCall.credentials.has(name));
    for (const value of request.composed) context.maskAlso('credentials', value);
    if (idempotencyHeader !== undefined) request.headers.set(...idempotencyHeader);
    if (hasNoBody !== true) return request;
    request.headers.delete('content-type');
    return { ...request, body: undefined, hasSecretBody: false };
  };
  let request = await render(await context.withLiveCredentials(call));
  // The credentials may have expired before a request is repeated.
  const currentRequest = async (): Promise<RenderedRequest> => {
    const liveCall = await context.withLiveCredentials(sentCall);
    if (liveCall !== sentCall) request = await render(liveCall);
    return request;
  };
  const requestUrl = request.url;
  try {
    const response = await sendRequest(call, context, request, { currentRequest, hostFrom, retry: http.retry.of(call.tool) });
    return { call: sentCall, response, requestUrl };
  } catch (error) {
    throw connectionError(context, request.url.host, error);
  }
}
