import type { Client } from '@modelcontextprotocol/client';

interface Watched {
  readonly listeners: Set<() => void>;
  readonly end: Promise<() => Promise<unknown>>;
}

/** The subscriptions to resources on one connection: one on the server for all listeners of a URI (MCP, Resources, Subscriptions). */
export class ResourceWatches {
  readonly #client: () => Client;
  readonly #watched = new Map<string, Watched>();

  constructor(client: () => Client) {
    this.#client = client;
  }

  get size(): number {
    return this.#watched.size;
  }

  /** Takes the notice of a change. A server may name a part of the resource. */
  onUpdated(uri: string): void {
    for (const [watched, { listeners }] of this.#watched)
      if (uri === watched || uri.startsWith(`${watched}/`)) for (const listener of listeners) listener();
  }

  /** Resolves, when the server has accepted, to a function that ends the watch. Rejects when the server refuses. */
  async add(uri: string, listener: () => void): Promise<() => void> {
    const known = this.#watched.get(uri);
    const watched = known ?? { listeners: new Set(), end: this.#subscribe(uri) };
    this.#watched.set(uri, watched);
    watched.listeners.add(listener);
    const end = (): void => {
      watched.listeners.delete(listener);
      if (watched.listeners.size > 0 || this.#watched.get(uri) !== watched) return;
      this.#watched.delete(uri);
      void watched.end.then((unsubscribe) => unsubscribe()).catch(() => {});
    };
    try {
      await watched.end;
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  async #subscribe(uri: string): Promise<() => Promise<unknown>> {
    const client = this.#client();
    if (client.getProtocolEra() === 'modern') {
      const subscription = await client.listen({ resourceSubscriptions: [uri] });
      return () => subscription.close();
    }
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  }
}
