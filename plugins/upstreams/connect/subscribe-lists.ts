import type { Client } from '@modelcontextprotocol/client';
import { resubscribe } from './resubscribe.ts';

/**
 * Asks a server of 2026-07-28 for notices of changed lists (MCP, Subscriptions), again whenever that ends, until `closed` resolves. Calls `onMissed` when
 * notices may have been missed. Does nothing for a server that sends none.
 */
export async function subscribeLists(client: Client, closed: Promise<void>, onMissed: () => void): Promise<void> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
    ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
    ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
  };
  if (Object.keys(filter).length > 0) await resubscribe({ over: closed, subscribe: () => client.listen(filter), onMissed });
}
