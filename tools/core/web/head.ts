import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { exchange } from './exchange.ts';
import type { Redirect } from './follow.ts';
import { responseHeaders } from './response-headers.ts';

interface Head {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly redirects: readonly Redirect[];
}

const timeoutMs = 30_000;

/** Fetches the headers of an address; every status is a result. */
export function head({ url }: { readonly url: string }, context: FunctionContext): Promise<Head> {
  return exchange(url, { method: 'HEAD', headers: new Headers() }, timeoutMs, context, async ({ response, url: final, redirects }) => {
    await response.body?.cancel();
    return { url: final, status: response.status, headers: responseHeaders(response.headers), redirects };
  });
}
