import type { CallOutput, StateStore } from '../../kernel/index.ts';
import type { StoredError } from '../shared/calls/stored-error.ts';

/** The stored part of a result: what the caller got, secrets masked. */
export type StoredResult = Pick<CallOutput, 'output' | 'content'>;

/** An attempt to make a call. */
export interface Attempt {
  readonly tool: string;
  /** Digest of the parameters. */
  readonly parameters: string;
  /** Digest of the definition's behaviour, and of what makes it safe to repeat. */
  readonly definition: string;
  /** Start time, epoch ms. */
  readonly at: number;
  /** Id of the process. */
  readonly by: string;
  /** Unique id of the attempt. */
  readonly id: string;
}

/**
 * The state of a call's effect. `begun`: the call runs, or its process died meanwhile. `done`: it had its effect, and this result or error.
 * `unknown`: it ended at `endedAt` (epoch ms) in a way that leaves the effect open.
 */
export type Intent = { readonly attempt: Attempt } & (
  | { readonly state: 'begun' }
  | { readonly state: 'done'; readonly result: StoredResult }
  | { readonly state: 'done'; readonly error: StoredError }
  | { readonly state: 'unknown'; readonly error: StoredError; readonly endedAt: number }
);

/** An intent with the text it was read from, for a compare-and-set. */
export interface ReadIntent {
  readonly intent: Intent;
  readonly text: string;
}

const prefix = 'intent/';

/** The intents of calls, one for each name, in a store that processes share. A call runs only after its intent is written. */
export class Intents {
  readonly #state: StateStore;
  readonly #ttlMs: number;

  constructor(state: StateStore, retentionMs: number) {
    this.#state = state;
    this.#ttlMs = retentionMs;
  }

  async get(id: string): Promise<ReadIntent | undefined> {
    const text = await this.#state.get(prefix + id);
    // Own text: a record of the store.
    return text === undefined ? undefined : { intent: JSON.parse(text) as Intent, text };
  }

  /** Writes the intent in place of `before`. Undefined when another process has changed it. */
  async replace(id: string, before: ReadIntent | undefined, intent: Intent): Promise<ReadIntent | undefined> {
    const text = JSON.stringify(intent);
    const isMine = await this.#state.compareAndSet(prefix + id, before?.text, text, { ttlMs: this.#ttlMs });
    return isMine ? { intent, text } : undefined;
  }

  /** Deletes the intent, so that the call may be made again. */
  async forget(id: string, before: ReadIntent): Promise<boolean> {
    return this.#state.compareAndSet(prefix + id, before.text, undefined);
  }

  /** Writes how an attempt ended, or deletes the intent. Also when another process took this one for dead and wrote "unknown"; never over a later attempt. */
  async end(id: string, written: ReadIntent, end: Intent | undefined): Promise<void> {
    const write = (before: ReadIntent) => (end === undefined ? this.forget(id, before) : this.replace(id, before, end));
    if (await write(written)) return;
    const found = await this.get(id);
    if (found?.intent.state === 'unknown' && found.intent.attempt.id === written.intent.attempt.id) await write(found);
  }

  /** Resolves when the intent changes, at the latest after `timeoutMs`. Rejects with the reason of `signal`. */
  async waitForChange(id: string, before: ReadIntent, signal: AbortSignal, timeoutMs: number): Promise<void> {
    let wake: () => void = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const stop = await this.#state.watch(prefix + id, wake);
    const timer = setTimeout(wake, timeoutMs);
    signal.addEventListener('abort', wake, { once: true });
    try {
      // It may have changed before the watch began.
      if (!signal.aborted && (await this.get(id))?.text === before.text) await woken;
      signal.throwIfAborted();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      await stop();
    }
  }
}
