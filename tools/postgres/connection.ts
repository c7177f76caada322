import type { PoolClient } from 'pg';
import { cancelBackend } from './cancel.ts';
import { type Answer, Exchange } from './exchange.ts';
import { isServerError } from './server-error.ts';
import type { Settings } from './settings.ts';
import type { TextRow, Wire } from './wire.ts';

/** How long the server may take to clean up, or to obey a cancellation, in milliseconds. */
const patienceMs = 5_000;

/** A connection that one call has to itself. Spoiled, it is closed after the call instead of going back to the pool. */
export class OwnConnection {
  /** True when an earlier call has had it. */
  readonly wasUsed: boolean;
  readonly #client: PoolClient;
  readonly #settings: Settings;
  #isSpoiled = false;
  #cancelling: Promise<void> = Promise.resolve();
  #impatience: NodeJS.Timeout | undefined;

  constructor(client: PoolClient, settings: Settings, wasUsed: boolean) {
    this.wasUsed = wasUsed;
    this.#client = client;
    this.#settings = settings;
  }

  get isInTransaction(): boolean {
    return this.#client.getTransactionStatus() === 'T';
  }

  /** Runs statements without parameters, and gives the rows of the last one. */
  async command(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    try {
      const results: unknown = await this.#client.query(sql);
      const last = Array.isArray(results) ? results.at(-1) : results;
      return (last as { rows: Record<string, unknown>[] }).rows;
    } catch (error) {
      throw this.#seen(error);
    }
  }

  async exchange(send: (wire: Wire) => void, onRow?: (row: TextRow) => void): Promise<Answer> {
    const exchange = new Exchange(send, onRow);
    try {
      this.#client.query(exchange);
      return await exchange.ended;
    } catch (error) {
      throw this.#seen(error);
    }
  }

  /** Asks the server to stop what runs; closes the connection when that has no effect. Spoils it: the request may arrive late. */
  cancel(): void {
    this.#isSpoiled = true;
    this.#impatience = setTimeout(() => this.destroy(), patienceMs);
    this.#cancelling = cancelBackend(this.#client, this.#settings, patienceMs);
  }

  /** Ends the transaction, if there is one, and everything else that a statement may leave in a session. */
  async clean(): Promise<void> {
    await this.#cancelling;
    clearTimeout(this.#impatience);
    if (this.#isSpoiled) return;
    const timer = setTimeout(() => this.destroy(), patienceMs);
    try {
      if (this.#client.getTransactionStatus() !== 'I') await this.command('ROLLBACK');
      await this.command('DISCARD ALL');
    } catch {
      this.#isSpoiled = true;
    } finally {
      clearTimeout(timer);
    }
  }

  destroy(): void {
    this.#isSpoiled = true;
    this.#client.connection.stream.destroy();
  }

  release(): void {
    this.#client.release(this.#isSpoiled);
  }

  /** After an error of the server the connection can go on; after any other it cannot be trusted. */
  #seen(error: unknown): unknown {
    if (!isServerError(error)) this.#isSpoiled = true;
    return error;
  }
}
