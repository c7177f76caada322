import type { JsonObject, ReadContext } from '../../../kernel/index.ts';
import type { Upstream } from '../upstream.ts';
import { startAsking } from './call-tool.ts';
import { onConnection } from './on-connection.ts';
import { type TracedRequest, withRequestSpan } from './request-span.ts';

/** Sends a request that is no call of a tool, for the caller of a prompt, a resource or a completion. */
export async function request(
  upstream: Upstream,
  traced: TracedRequest,
  params: JsonObject,
  context: Pick<ReadContext, 'caller' | 'signal' | 'span'> & Partial<Pick<ReadContext, 'client'>>,
): Promise<JsonObject> {
  const { caller, signal, client = {} } = context;
  const free = await upstream.queue.take(signal);
  const asking = startAsking({ caller, client, signal });
  try {
    return await onConnection(upstream, {
      ...{ signal, asking },
      connect: () => upstream.connectionFor({ caller }, upstream.values.ofCall(undefined), signal),
      send: (connection) =>
        withRequestSpan(context, { upstream, connection }, traced, (traceparent) =>
          connection.request(traced.method, params, asking.asker, traceparent),
        ),
    });
  } finally {
    asking.end();
    free();
  }
}
