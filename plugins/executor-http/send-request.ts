import { type Call, type CallContext, ToolkitError } from '../../kernel/index.ts';
import type { Retry } from './definition/retry.ts';
import { sendWithRedirects } from './redirects.ts';
import type { RenderedRequest } from './request/request.ts';

export interface SendOptions {
  /** Returns the request with credentials that are valid now. */
  readonly currentRequest: () => Promise<RenderedRequest>;
  readonly hostFrom: 'definition' | 'parameter';
  readonly retry: Retry | undefined;
}

/** Sends the request, and again where the definition says `retry`. Throws the errors of fetch. */
export async function sendRequest(
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
