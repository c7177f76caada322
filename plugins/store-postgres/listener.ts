import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Logger, messageOf } from '../../kernel/index.ts';
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
  #client: Client | undefined;
  #listening: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** Resolves when changes from now on are told. Rejects where it cannot connect. */
  listen(): Promise<void> {
    this.#listening ??= this.#connect().catch((error: unknown) => {
      this.#listening = undefined;
      throw error;
    });
    return this.#listening;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = this.#options.client();
    client.on('notification', ({ payload = '' }) => this.#options.watchers.tell(payload));
    // What it says is said again by its end.
    client.on('error', () => {});
    await client.connect();
    client.once('end', () => void this.#again());
    this.#client = client;
    await client.query('listen toolkit_entries');
  }

  async #again(): Promise<void> {
    const { watchers, logger, keysOf } = this.#options;
    for (let said = false; !this.#closing.signal.aborted; said = true) {
      try {
        await this.#connect();
        for (const prefix of watchers.prefixes) for (const key of await keysOf(prefix)) watchers.tell(key);
        return;
      } catch (error) {
        if (!said) logger.warn(`the store tells no changes until it can be reached again: ${messageOf(error)}`);
        await setTimeout(retryMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      }
    }
  }
}
