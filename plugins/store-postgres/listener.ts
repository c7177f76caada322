import { setTimeout } from 'node:timers/promises';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { LazyResource } from '../shared/state/lazy-resource.ts';
import type { Watchers } from '../shared/state/watchers.ts';
import type { StoreClient } from './store-client.ts';
import type { StoreLimits } from './store-limits.ts';

const retryDelayMs = 500;

export interface ListenerOptions {
  readonly watchers: Watchers;
  readonly logger: Pick<Logger, 'warn'>;
  readonly limits: Pick<StoreLimits, 'testIntervalMs' | 'closeMs'>;
  /** Returns a client that is not connected yet. Its statements and its connecting have a time limit. */
  readonly createClient: () => StoreClient;
  /** Returns true for a connection to the server in use. */
  readonly isCurrent: (client: StoreClient) => boolean;
  /**
   * Returns the existing keys, from the server that writes. After a reconnect all of them count as changed, because notifications may have been
   * missed.
   */
  readonly listKeys: (prefix: string) => Promise<readonly string[]>;
}

/**
 * Notifies watchers of changes over a connection of its own. Replaces one that breaks, that does not answer a test every two seconds, or whose
 * server is no longer the one in use.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #closing = new AbortController();
  /** Number of listeners, by channel name. */
  readonly #channels = new Map<string, number>();
  readonly #opened = new LazyResource(() => this.#open());
  #last: Promise<unknown> = Promise.resolve();
  /** Set while connected. */
  #client: StoreClient | undefined;
  #isConnecting = false;
  #timer: NodeJS.Timeout | undefined;

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
    clearInterval(this.#timer);
    const client = this.#client;
    if (client === undefined) return;
    // A silent connection never confirms its end.
    const timer = globalThis.setTimeout(() => client.destroy(), this.#options.limits.closeMs);
    await client.end().catch(() => {});
    clearTimeout(timer);
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

  /** Runs statements one after the other, so that the last one takes effect. A connection on which one fails is replaced. */
  #run(statement: string): Promise<unknown> {
    const result = this.#last.then(async () => {
      const client = this.#client;
      try {
        return await client?.query(statement);
      } catch (error) {
        client?.destroy();
        throw error;
      }
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #open(): Promise<void> {
    this.#isConnecting = true;
    try {
      await this.#connect();
    } finally {
      this.#isConnecting = false;
    }
    this.#timer = setInterval(() => this.#test(), this.#options.limits.testIntervalMs).unref();
  }

  #test(): void {
    const client = this.#client;
    if (client === undefined) return;
    if (!this.#options.isCurrent(client)) client.destroy();
    else this.#run('select 1').catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = this.#options.createClient();
    client.on('notification', ({ payload = '' }) => this.#options.watchers.notify(payload));
    // The `end` event follows.
    client.on('error', () => {});
    client.once('end', () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      void this.#replace();
    });
    try {
      await client.connect();
      this.#closing.signal.throwIfAborted();
      // Set before the first query: from here on `listen` statements of other callers use this connection.
      this.#client = client;
      await client.query([...this.#channels.keys()].map((channel) => `listen ${channel};`).join(''));
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      client.destroy();
      throw error;
    }
  }

  /** Connects until it has a connection and all watchers were notified after it listened. */
  async #replace(): Promise<void> {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    const { watchers, logger, listKeys } = this.#options;
    for (let hasWarned = false; !this.#closing.signal.aborted; hasWarned = true) {
      try {
        if (this.#client === undefined) await this.#connect();
        for (const prefix of watchers.prefixes) for (const key of await listKeys(prefix)) watchers.notify(key);
        if (this.#client !== undefined) break;
      } catch (error) {
        if (this.#closing.signal.aborted) break;
        if (!hasWarned) logger.warn(`the store reports no changes until it can be reached again: ${messageOf(error)}`);
        // Finds the server that writes, when this one does not any more.
        await listKeys('-').catch(() => {});
        await setTimeout(retryDelayMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      }
    }
    this.#isConnecting = false;
  }
}
