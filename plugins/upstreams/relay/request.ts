import type { JsonObject, ReadContext } from '../../../kernel/index.ts';
import type { Upstream } from '../upstream.ts';
import { startAsking } from './call-tool.ts';
import { onConnection } from './on-connection.ts';

/** Sends a request that is no call of a tool, for the caller of a prompt, a resource or a completion. */
export async function request(
  upstream: Upstream,
  method: string,
  params: JsonObject,
  { caller, signal, client }: Pick<ReadContext, 'caller' | 'signal'> & Partial<Pick<ReadContext, 'client'>>,
): Promise<JsonObject> {
  const free = await upstream.queue.take(signal);
  const asking = startAsking({ caller, client: client ?? {}, signal });
  try {
    return await onConnection(upstream, {
      ...{ signal, asking },
      connect: () => upstream.connectionFor({ caller }, upstream.values.ofCall(undefined), signal),
      send: (connection) => connection.request(method, params, asking.asker),
    });
  } finally {
    asking.end();
    free();
  }
}
