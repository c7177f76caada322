import type { Client } from '@modelcontextprotocol/client';

const firstDelayMs = 1000;
const maxDelayMs = 300_000;

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
  if (Object.keys(filter).length === 0) return;
  let isOver = false;
  void closed.then(() => {
    isOver = true;
  });
  for (let delayMs = firstDelayMs; !isOver; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    const subscription = await client.listen(filter).catch(() => undefined);
    if (subscription !== undefined) {
      await Promise.race([subscription.closed, closed]);
      delayMs = firstDelayMs;
      if (!isOver) onMissed();
    }
    await Promise.race([wait(delayMs), closed]);
  }
}

function wait(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref();
  });
}
