import Type from 'typebox';
import {
  apiVersion,
  type Call,
  type CallContext,
  definePlugin,
  type ExecutionResult,
  excerpt,
  type Lookup,
  messageOf,
  revealSecret,
  ToolkitError,
} from '../../kernel/index.ts';
import { encodings } from './encodings.ts';
import { checkExecution, completeExecution, encodingsOf, type HttpExecution, HttpExecutionSchema, riskOf } from './execution.ts';
import { type RenderedRequest, renderRequest } from './request.ts';
import { errorOf, readResponse } from './response.ts';
import { hostPlaceholders } from './url.ts';

/** Runs `execution.type: http`: fills the request in, sends it, maps the status to an error code, reads the answer. */
export const executorHttp = definePlugin({
  name: 'executor-http',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Largest answer in bytes. @default 10485760 */
      maxResponseBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { maxResponseBytes = 10 * 1024 * 1024 }) {
    kernel.extend.execution('http', {
      schema: HttpExecutionSchema,
      enforces: ['retry'],
      risk: riskOf,
      complete: completeExecution,
      check: checkExecution,
      derives: (execution) => encodingsOf(execution as unknown as HttpExecution).map(({ target }) => target),
    });
    for (const [name, encode] of Object.entries(encodings)) kernel.extend.encoding(name, encode);
    kernel.hooks.execute.for('http').tapPromise('executor-http', (call, context) => execute(call, context, maxResponseBytes));
  },
});

async function execute(call: Call, context: CallContext, maxBytes: number): Promise<ExecutionResult> {
  const execution = call.tool.execution as unknown as HttpExecution;
  const request = renderRequest(execution, await lookupOf(call, execution, context));
  const isFixedHost = hostPlaceholders(execution.url).every((name) => call.credentials.has(name));
  const response = await send(call, context, request, isFixedHost ? 'definition' : 'parameter');
  const read = await readResponse(response, maxBytes);
  if (!response.ok) throw errorOf(call.tool, response, read);
  return { output: read.body, meta: { status: read.status, contentType: read.contentType } };
}

/** Credentials first, then encoded values, then parameters. */
async function lookupOf(call: Call, execution: HttpExecution, context: CallContext): Promise<Lookup> {
  const encoded = new Map<string, unknown>();
  for (const { source, target, encoding, options } of encodingsOf(execution)) {
    const values = Object.fromEntries(
      source.flatMap((name) => (call.parameters[name] === undefined ? [] : [[name, call.parameters[name]]])),
    );
    encoded.set(target, await context.encode(encoding, values, options));
  }
  return (name) => {
    const secret = call.credentials.get(name);
    if (secret !== undefined) return revealSecret(secret);
    return encoded.has(name) ? encoded.get(name) : call.parameters[name];
  };
}

async function send(call: Call, context: CallContext, request: RenderedRequest, hostFrom: 'definition' | 'parameter'): Promise<Response> {
  const { default: ky, HTTPError } = await import('ky');
  const { retry } = call.tool.definition;
  try {
    return await ky(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: context.signal,
      timeout: false,
      retry: retry === undefined ? 0 : retryOptions(retry, request.method),
      fetch: (input, init) => context.fetch(input, init, { hostFrom }),
    });
  } catch (error) {
    if (error instanceof HTTPError) return error.response;
    throw connectionError(call, context, request, error);
  }
}

function retryOptions(retry: NonNullable<Call['tool']['definition']['retry']>, method: string) {
  const { initial_ms: initialMs = 300, maximum_ms: maximumMs = 30_000 } = retry.backoff ?? {};
  const statusCodes = retry.on ?? [429, 500, 502, 503, 504];
  return {
    limit: retry.attempts - 1,
    methods: [method.toLowerCase() as 'get'],
    statusCodes,
    afterStatusCodes: statusCodes,
    maxRetryAfter: maximumMs,
    delay: (attempt: number) => Math.min(maximumMs, initialMs * 2 ** (attempt - 1)),
    jitter: true,
  };
}

function connectionError(call: Call, context: CallContext, request: RenderedRequest, error: unknown): unknown {
  if (ToolkitError.is(error)) return error;
  if (context.signal.aborted) return context.signal.reason;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (ToolkitError.is(cause)) return cause;
  const { code } = cause as { code?: string };
  const what = [code, messageOf(cause)]
    .filter((part, index, parts) => part !== undefined && part !== '' && parts.indexOf(part) === index)
    .join(': ');
  return new ToolkitError(
    'UPSTREAM_UNAVAILABLE',
    `"${call.tool.name}" got no answer from ${request.url.host}: ${excerpt(what)}. Check the address and the network.`,
    { tool: call.tool.name },
    { cause: error },
  );
}
