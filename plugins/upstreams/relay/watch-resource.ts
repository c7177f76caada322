import { excerpt, messageOf } from '../../../kernel/index.ts';
import { printable } from '../connect/printable.ts';
import type { Upstream } from '../upstream.ts';

const firstDelayMs = 1000;
const maxDelayMs = 300_000;

/**
 * Watches a resource on the operator's connection to its server, and on the next one whenever that ends. Calls `changed` also when a change may have
 * been missed. Returns a function that ends the watch.
 */
export function watchResource(upstream: Upstream, uri: string, changed: () => void): () => void {
  const over = new AbortController();
  const ended = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve(), { once: true }));
  const follow = async (): Promise<void> => {
    for (let delayMs = firstDelayMs; !over.signal.aborted; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
      try {
        const connection = await upstream.operatorConnection();
        const end = await connection.watch(uri, changed);
        await Promise.race([connection.closed, ended]);
        end();
        delayMs = firstDelayMs;
        if (!over.signal.aborted) changed();
      } catch (error) {
        const { name } = upstream.settings;
        upstream.logger.debug(`the MCP server "${name}" takes no subscription: ${excerpt(printable(messageOf(error)), 200)}`);
      }
      await Promise.race([wait(delayMs), ended]);
    }
  };
  void follow();
  return () => over.abort();
}

function wait(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref();
  });
}
