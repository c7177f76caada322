import type { JsonObject, ReadContext } from '../../../kernel/index.ts';
import type { Upstream } from '../upstream.ts';
import { startAsking } from './call-tool.ts';
import { requestError } from './request-error.ts';

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
    const connection = await upstream.connectionFor(caller, upstream.secretsOf(undefined), signal);
    try {
      return await connection.request(method, params, asking.asker);
    } catch (error) {
      if (asking.failure !== undefined) throw asking.failure;
      signal.throwIfAborted();
      const known = requestError(error, upstream.settings.name, undefined, connection);
      if (known.isSessionLost) upstream.retire(connection);
      throw known.error;
    }
  } finally {
    asking.end();
    free();
  }
}
