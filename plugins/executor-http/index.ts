import Type from 'typebox';
import {
  apiVersion,
  type Call,
  type CallContext,
  definePlugin,
  type ExecutionResult,
  type Lookup,
  parseUrl,
  revealSecret,
  ToolkitError,
} from '../../kernel/index.ts';
import { checkPaginate } from './check-paginate.ts';
import { encodings } from './encodings.ts';
import { answerError, checkErrorWhen } from './error-when.ts';
import {
  annotationsOf,
  checkExecution,
  completeExecution,
  encodingsOf,
  type HttpExecution,
  HttpExecutionSchema,
  isSafe,
  riskOf,
} from './execution.ts';
import { connectionError, statusError } from './failure.ts';
import { checkRepeats, idempotencyHeader } from './idempotency.ts';
import { type Exchange, executePaged } from './paged.ts';
import { sendFollowing } from './redirects.ts';
import { type RenderedRequest, renderRequest } from './request.ts';
import { type ReadLimits, readResponse } from './response.ts';
import { hostPlaceholders } from './url.ts';

/** Runs `execution.type: http`: fills the request in, sends it, maps the status to an error code, reads the answer. */
export const executorHttp = definePlugin({
  name: 'executor-http',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Largest answer in bytes; where a call makes several requests, of all answers together. @default 10485760 */
      maxResponseBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { maxResponseBytes = 10 * 1024 * 1024 }) {
    kernel.extend.execution('http', {
      schema: HttpExecutionSchema,
      enforces: ['retry', 'error_when', 'paginate', 'idempotency'],
      risk: riskOf,
      annotations: annotationsOf,
      complete: completeExecution,
      check: checkExecution,
      checkDefinition: (definition, execution, around) => [
        ...checkErrorWhen(definition, execution, around),
        ...checkPaginate(definition, execution, around),
        ...checkRepeats(definition, execution),
      ],
      derives: (execution) => encodingsOf(execution as unknown as HttpExecution).map(({ target }) => target),
    });
    for (const [name, encode] of Object.entries(encodings)) kernel.extend.encoding(name, encode);
    kernel.hooks.execute.for('http').tapPromise('executor-http', (call, context) => execute(call, context, maxResponseBytes));
  },
});

type OnceHeader = ReturnType<typeof idempotencyHeader>;

async function execute(call: Call, context: CallContext, maxBytes: number): Promise<ExecutionResult> {
  const { paginate } = call.tool.definition;
  if (paginate !== undefined)
    return executePaged(call, context, paginate, (asked, limits) => exchange(asked, context, { maxBytes, ...limits }));
  const { read } = await exchange(call, context, { maxBytes, spentBytes: 0, onProgress: (progress) => context.progress(progress) });
  return {
    output: read.body,
    ...(read.content === undefined ? {} : { content: read.content }),
    meta: { status: read.status, contentType: read.contentType },
  };
}

/**
 * Sends the call and reads its answer; after a refusal of its credentials once more with other ones, if the stores have other ones and
 * the call may be repeated. Throws what the answer means when it is a failure.
 */
async function exchange(call: Call, context: CallContext, limits: ReadLimits): Promise<Exchange> {
  // Each request has its own; it is the same one whenever that request is sent again.
  const once = idempotencyHeader(call.tool);
  const first = await attempt(call, context, limits, once);
  if (first.error === undefined) return first;
  if (first.error.code !== 'AUTH_FAILED') throw first.error;
  const credentials = await context.renewCredentials(call);
  if (credentials === undefined || !mayRepeat(call)) throw first.error;
  const second = await attempt({ ...call, credentials }, context, limits, once);
  if (second.error !== undefined) throw second.error;
  return second;
}

async function attempt(
  call: Call,
  context: CallContext,
  limits: ReadLimits,
  once: OnceHeader,
): Promise<Exchange & { readonly error?: ToolkitError }> {
  const response = await sendWith(call, context, once);
  const { headers, ok } = response;
  try {
    const read = await readResponse(response, limits);
    const error = ok ? answerError(context, headers, read) : statusError(context, headers, read);
    return { call, headers, read, ...(error === undefined ? {} : { error }) };
  } catch (error) {
    throw connectionError(context, parseUrl(response.url)?.host ?? 'the service', error);
  }
}

/** A safe method (RFC 9110, 9.2.1), or a definition that says so. */
function mayRepeat({ tool }: Call): boolean {
  const { method } = tool.execution as unknown as HttpExecution;
  return isSafe(method) || tool.definition.retry?.on?.includes(401) === true;
}

async function sendWith(call: Call, context: CallContext, once: OnceHeader): Promise<Response> {
  const execution = call.tool.execution as unknown as HttpExecution;
  const isCredential = (name: string): boolean => call.credentials.has(name);
  const request = renderRequest(execution, await lookupOf(call, execution, context), isCredential);
  for (const value of request.composed) context.redactAlso('credentials', value);
  if (once !== undefined) request.headers.set(...once);
  const hostFrom = hostPlaceholders(execution.url).every(isCredential) ? 'definition' : 'parameter';
  try {
    return await send(call, context, request, hostFrom);
  } catch (error) {
    throw connectionError(context, request.url.host, error);
  }
}

/** Credentials first, then encoded values, then parameters. An encoding of which no source was given gives nothing either. */
async function lookupOf(call: Call, execution: HttpExecution, context: CallContext): Promise<Lookup> {
  const given = new Map(Object.entries(call.parameters));
  const encoded = new Map<string, unknown>();
  for (const { source, target, encoding, options } of encodingsOf(execution)) {
    const values = Object.fromEntries(source.filter((name) => given.has(name)).map((name) => [name, given.get(name)]));
    encoded.set(target, Object.keys(values).length === 0 ? undefined : await context.encode(encoding, values, options));
  }
  return (name) => {
    const secret = call.credentials.get(name);
    if (secret !== undefined) return revealSecret(secret);
    return encoded.has(name) ? encoded.get(name) : given.get(name);
  };
}

/** Sends the request, again where the definition says `retry`. Throws what fetch throws. */
async function send(call: Call, context: CallContext, request: RenderedRequest, hostFrom: 'definition' | 'parameter'): Promise<Response> {
  const { default: ky, HTTPError } = await import('ky');
  const { signal, fetch } = context;
  const { retry } = call.tool.definition;
  try {
    return await ky(request.url, {
      method: request.method,
      signal,
      timeout: false,
      retry: retry === undefined ? 0 : retryOptions(retry, request.method, signal),
      hooks: { beforeRetry: [({ error }) => (error instanceof HTTPError ? error.response.body?.cancel() : undefined)] },
      fetch: () => sendFollowing(request, { tool: call.tool, fetch, signal, hostFrom }),
    });
  } catch (error) {
    if (error instanceof HTTPError) return error.response;
    throw error;
  }
}

function retryOptions(retry: NonNullable<Call['tool']['definition']['retry']>, method: string, signal: AbortSignal) {
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
    // What the guard or a redirect refuses is refused again.
    shouldRetry: ({ error }: { error: unknown }) => (signal.aborted || ToolkitError.is(error) ? false : undefined),
  };
}
