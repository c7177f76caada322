import { excerpt, messageOf } from '../../../kernel/index.ts';
import { printable } from '../connect/printable.ts';
import { resubscribe } from '../connect/resubscribe.ts';
import type { Upstream } from '../upstream.ts';

/**
 * Watches a resource on the operator's connection to its server, and on the next one whenever that ends. Calls `changed` also when a change may have
 * been missed. Returns a function that ends the watch.
 */
export function watchResource(upstream: Upstream, uri: string, changed: () => void): () => void {
  const ended = new AbortController();
  const over = new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve(), { once: true }));
  const subscribe = async (): Promise<{ readonly closed: Promise<unknown> }> => {
    try {
      const connection = await upstream.operatorConnection();
      const end = await connection.watch(uri, changed);
      return { closed: Promise.race([connection.closed, over]).finally(end) };
    } catch (error) {
      const { name } = upstream.settings;
      upstream.logger.debug(`the MCP server "${name}" takes no subscription: ${excerpt(printable(messageOf(error)), 200)}`);
      throw error;
    }
  };
  void resubscribe({ over, subscribe, onMissed: changed });
  return () => ended.abort();
}
