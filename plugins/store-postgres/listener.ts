import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { LazyResource } from '../shared/state/lazy-resource.ts';
import type { Watchers } from '../shared/state/watchers.ts';

const retryMs = 500;

export interface ListenerOptions {
  readonly watchers: Watchers;
  readonly logger: Pick<Logger, 'warn'>;
  /** A client that is not connected yet. */
  readonly client: () => Client;
  /** The keys that there are: whoever was not listening cannot know which have changed. */
  readonly keysOf: (prefix: string) => Promise<readonly string[]>;
}

/** Tells watchers what changes, over a connection of its own, which it opens again when it breaks. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #closing = new AbortController();
  /** By name, how many want to hear it. */
  readonly #channels = new Map<string, number>();
  readonly #opened = new LazyResource(() => this.#connect());
  #last: Promise<unknown> = Promise.resolve();
  /** While it is connected. */
  #client: Client | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** Resolves when changes from now on are told, to what ends that. Rejects where it cannot connect. */
  async listen(channel: string): Promise<() => void> {
    this.#channels.set(channel, (this.#channels.get(channel) ?? 0) + 1);
    try {
      await this.#opened.get();
      // Whose connection is broken hears it over the next one.
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

  /** One after the other: the last one holds. */
  #say(statement: string): Promise<unknown> {
    const said = this.#last.then(() => this.#client?.query(statement));
    this.#last = said.catch(() => {});
    return said;
  }

  async #connect(): Promise<void> {
    const client = this.#options.client();
    let isOpen = false;
    client.on('notification', ({ payload = '' }) => this.#options.watchers.notify(payload));
    // What it says is said again by its end.
    client.on('error', () => {});
    client.once('end', () => {
      this.#client = undefined;
      if (isOpen) void this.#again();
    });
    await client.connect();
    // Nobody else would end it.
    if (this.#closing.signal.aborted) await client.end();
    this.#closing.signal.throwIfAborted();
    // Before what it says first: who wants to hear a channel from here on says so over this connection.
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
        if (!said) logger.warn(`the store tells no changes until it can be reached again: ${messageOf(error)}`);
        await setTimeout(retryMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      }
    }
  }
}
