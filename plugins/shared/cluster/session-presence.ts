import { setTimeout } from 'node:timers/promises';
import { ToolkitError } from '../../../kernel/index.ts';
import type { ProcessPresence } from './process-members.ts';
import { type ObservedProcess, ProcessObserver } from './process-observer.ts';
import { type CreateClient, ProcessSession } from './process-session.ts';

/** Interval at which the connection is tested, and delay until a broken one is replaced, in milliseconds. */
const testIntervalMs = 2000;
const retryDelayMs = 500;

/** Maximum wait for a broken connection to be replaced, in milliseconds: that in which all must be back after a failover. */
const replacementLimitMs = 15_000;

/** Time without a test of its connection after which a process counts as one that stands still, in milliseconds. */
const stalledAfterMs = 4 * testIntervalMs;

export interface SessionPresenceOptions {
  readonly createClient: CreateClient;
  /** Runs `readProcesses`. */
  readonly readProcesses: () => Promise<readonly ObservedProcess[]>;
  /** Deletes the row of a dead process: `deleteProcess` with its id and key. */
  readonly deleteProcess: (process: ObservedProcess) => Promise<void>;
  /** Runs `readSilence` with the id of a process. Undefined when it holds no lock, or another role runs it. @default never known */
  readonly readSilence?: (process: string) => Promise<number | undefined>;
  /** Maximum wait for a broken connection to be replaced, in milliseconds. @default 15000 */
  readonly replacementMs?: number;
}

/** Presence by sessions of PostgreSQL: a process lives for as long as a connection of it holds its lock. */
export class SessionPresence implements ProcessPresence {
  readonly #options: SessionPresenceOptions;
  readonly #observer: ProcessObserver;
  readonly #closing = new AbortController();
  #session: ProcessSession | undefined;
  /** Resolves when this process holds its lock. Absent before the first `announce`, and after it has failed. */
  #held: Promise<void> | undefined;
  /** True while a broken connection is being replaced. */
  #isReplacing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SessionPresenceOptions) {
    this.#options = options;
    this.#observer = new ProcessObserver(options.readProcesses, options.deleteProcess);
  }

  /**
   * Throws PLUGIN_INVALID behind a pooler that shares connections, and STATE_UNAVAILABLE once it is closed, or when a broken connection is not replaced
   * in time.
   */
  announce(process: string, onReturn: () => void): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.reject(closedError());
    this.#held ??= this.#open(process, onReturn).catch((error: unknown) => {
      this.#held = undefined;
      throw error;
    });
    return this.#isReplacing ? this.#within(this.#held) : this.#held;
  }

  isDead(process: string): Promise<boolean> {
    return this.#observer.isDead(process);
  }

  async isStalled(process: string): Promise<boolean> {
    return ((await this.#options.readSilence?.(process)) ?? 0) >= stalledAfterMs;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#timer);
    await this.#held?.catch(() => {});
    await this.#session?.close();
  }

  async #open(process: string, onReturn: () => void): Promise<void> {
    const { createClient } = this.#options;
    this.#session ??= new ProcessSession({ id: process, createClient, onBroken: () => this.#replace(onReturn) });
    await this.#session.connect();
    this.#timer ??= setInterval(() => void this.#session?.test(), testIntervalMs).unref();
  }

  /** Connects again until that succeeds. What enters meanwhile waits for it. */
  #replace(onReturn: () => void): void {
    if (this.#closing.signal.aborted) return;
    const held = this.#reconnect();
    this.#held = held;
    this.#isReplacing = true;
    held.then(
      () => {
        if (this.#held === held) this.#isReplacing = false;
        onReturn();
      },
      () => {},
    );
  }

  async #within(held: Promise<void>): Promise<void> {
    const { replacementMs = replacementLimitMs } = this.#options;
    const over = new AbortController();
    const late = setTimeout(replacementMs, true, { signal: over.signal }).catch(() => false);
    try {
      if ((await Promise.race([held, late])) === true) throw unreachableError(replacementMs);
    } finally {
      over.abort();
    }
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      if (signal.aborted) throw closedError();
      try {
        return await this.#session?.connect();
      } catch {
        await setTimeout(retryDelayMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }
}

function unreachableError(limitMs: number): ToolkitError {
  return new ToolkitError(
    'STATE_UNAVAILABLE',
    `The store cannot be reached: the connection by which other processes see this one broke, and no other could be opened within ${limitMs / 1000} s. Try again when the store is back.`,
  );
}

function closedError(): ToolkitError {
  return new ToolkitError('STATE_UNAVAILABLE', 'The store is closed, because the kernel is.', { retryable: false });
}
