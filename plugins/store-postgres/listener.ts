import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { LazyResource } from '../shared/state/lazy-resource.ts';
import type { Watchers } from '../shared/state/watchers.ts';

const retryDelayMs = 500;

export interface ListenerOptions {
  readonly watchers: Watchers;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns a client that is not connected yet. */
  readonly createClient: () => Client;
  /** Returns the existing keys. After a reconnect all of them count as changed, because notifications may have been missed. */
  readonly listKeys: (prefix: string) => Promise<readonly string[]>;
}

/** Notifies watchers of changes over a connection of its own, and reconnects when that breaks. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #closing = new AbortController();
  /** Number of listeners, by channel name. */
  readonly #channels = new Map<string, number>();
  readonly #opened = new LazyResource(() => this.#connect());
  #last: Promise<unknown> = Promise.resolve();
  /** Set while connected. */
  #client: Client | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** Resolves when changes from now on are notified, to a function that ends that. Rejects when it cannot connect. */
  async listen(channel: string): Promise<() => void> {
    this.#channels.set(channel, (this.#channels.get(channel) ?? 0) + 1);
    try {
      await this.#opened.get();
      // After a broken connection, the next one listens to all channels.
      await this.#run(`listen ${channel}`);
    } catch (error) {
      this.#leave(channel);
      throw error;
    }
    let isLeft = false;
    return () => {
      if (!isLeft) this.#leave(channel);
      isLeft = true;
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.end().catch(() => {});
  }

  #leave(channel: string): void {
    const listeners = (this.#channels.get(channel) ?? 0) - 1;
    if (listeners > 0) {
      this.#channels.set(channel, listeners);
      return;
    }
    this.#channels.delete(channel);
    this.#run(`unlisten ${channel}`).catch(() => {});
  }

  /** Runs statements one after the other, so that the last one takes effect. */
  #run(statement: string): Promise<unknown> {
    const result = this.#last.then(() => this.#client?.query(statement));
    this.#last = result.catch(() => {});
    return result;
  }

  async #connect(): Promise<void> {
    const client = this.#options.createClient();
    let isOpen = false;
    client.on('notification', ({ payload = '' }) => this.#options.watchers.notify(payload));
    // The `end` event follows.
    client.on('error', () => {});
    client.once('end', () => {
      this.#client = undefined;
      if (isOpen) void this.#reconnect();
    });
    await client.connect();
    // `close` has run already and will not end this client.
    if (this.#closing.signal.aborted) await client.end();
    this.#closing.signal.throwIfAborted();
    // Set before the first query: from here on `listen` statements of other callers use this connection.
    this.#client = client;
    await client.query([...this.#channels.keys()].map((channel) => `listen ${channel};`).join(''));
    isOpen = true;
  }

  async #reconnect(): Promise<void> {
    const { watchers, logger, listKeys } = this.#options;
    for (let hasWarned = false; !this.#closing.signal.aborted; hasWarned = true) {
      try {
        await this.#connect();
        for (const prefix of watchers.prefixes) for (const key of await listKeys(prefix)) watchers.notify(key);
        return;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        if (!hasWarned) logger.warn(`the store reports no changes until it can be reached again: ${messageOf(error)}`);
        await setTimeout(retryDelayMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      }
    }
  }
}
