import type { PoolClient } from 'pg';
import { cancelBackend } from './cancel.ts';
import { type Answer, Exchange } from './exchange.ts';
import { isServerError } from './server-error.ts';
import type { Settings } from './settings.ts';
import type { TextRow, Wire } from './wire.ts';

/** Time limit of the server for cleaning up and for a cancellation, in milliseconds. */
const cleanupTimeoutMs = 5_000;

/** A connection that belongs to one call. A broken one is closed after the call and does not return to the pool. */
export class CallConnection {
  /** True when an earlier call has used it. */
  readonly wasUsed: boolean;
  readonly #client: PoolClient;
  readonly #settings: Settings;
  #isSpoiled = false;
  #cancelling: Promise<void> = Promise.resolve();
  #cancelTimer: NodeJS.Timeout | undefined;

  constructor(client: PoolClient, settings: Settings, wasUsed: boolean) {
    this.wasUsed = wasUsed;
    this.#client = client;
    this.#settings = settings;
  }

  get isInTransaction(): boolean {
    return this.#client.getTransactionStatus() === 'T';
  }

  /** Runs statements without parameters and returns the rows of the last one. */
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

  /** Asks the server to cancel the statement; closes the connection after 5 s without effect. Marks it as broken: the request may arrive late. */
  cancel(): void {
    this.#isSpoiled = true;
    this.#cancelTimer = setTimeout(() => this.destroy(), cleanupTimeoutMs);
    this.#cancelling = cancelBackend(this.#client, this.#settings, cleanupTimeoutMs);
  }

  /** Ends an open transaction and clears everything else that a statement may leave in a session. */
  async clean(): Promise<void> {
    await this.#cancelling;
    clearTimeout(this.#cancelTimer);
    if (this.#isSpoiled) return;
    const timer = setTimeout(() => this.destroy(), cleanupTimeoutMs);
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

  /** Marks the connection as broken after any error that the server did not send, and returns the error. */
  #seen(error: unknown): unknown {
    if (!isServerError(error)) this.#isSpoiled = true;
    return error;
  }
}
