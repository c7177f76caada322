import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { LazyResource } from '../shared/state/lazy-resource.ts';
import type { Watchers } from '../shared/state/watchers.ts';

const retryMs = 500;

export interface ListenerOptions {
  readonly watchers: Watchers;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns a client that is not connected yet. */
  readonly client: () => Client;
  /** Returns the existing keys. After a reconnect all of them count as changed, because notifications may have been missed. */
  readonly keysOf: (prefix: string) => Promise<readonly string[]>;
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
      await this.#say(`listen ${channel}`);
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
    const left = (this.#channels.get(channel) ?? 0) - 1;
    if (left > 0) {
      this.#channels.set(channel, left);
      return;
    }
    this.#channels.delete(channel);
    this.#say(`unlisten ${channel}`).catch(() => {});
  }

  /** Runs statements one after the other, so that the last one takes effect. */
  #say(statement: string): Promise<unknown> {
    const said = this.#last.then(() => this.#client?.query(statement));
    this.#last = said.catch(() => {});
    return said;
  }

  async #connect(): Promise<void> {
    const client = this.#options.client();
    let isOpen = false;
    client.on('notification', ({ payload = '' }) => this.#options.watchers.notify(payload));
    // The `end` event follows.
    client.on('error', () => {});
    client.once('end', () => {
      this.#client = undefined;
      if (isOpen) void this.#again();
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

  async #again(): Promise<void> {
    const { watchers, logger, keysOf } = this.#options;
    for (let said = false; !this.#closing.signal.aborted; said = true) {
      try {
        await this.#connect();
        for (const prefix of watchers.prefixes) for (const key of await keysOf(prefix)) watchers.notify(key);
        return;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        if (!said) logger.warn(`the store reports no changes until it can be reached again: ${messageOf(error)}`);
        await setTimeout(retryMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      }
    }
  }
}
