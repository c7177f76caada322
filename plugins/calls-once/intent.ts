import type { CallOutput, StateStore } from '../../kernel/index.ts';
import type { StoredError } from '../shared/calls/stored-error.ts';

/** What is kept of the result: what the caller got, secrets masked. */
export type KeptResult = Pick<CallOutput, 'output' | 'content'>;

/** An attempt to make a call. */
export interface Attempt {
  readonly tool: string;
  /** Digest of the parameters. */
  readonly parameters: string;
  /** Digest of what the definition does, and of what makes it safe to repeat. */
  readonly definition: string;
  /** Epoch ms, when it began. */
  readonly at: number;
  /** The process. */
  readonly by: string;
  /** Tells it from others. */
  readonly id: string;
}

/**
 * What is known of the effect of a call. `begun`: it may have it any moment; whose process has died left it so. `done`: it had it, and gave this
 * result, or then failed. `unknown`: it ended in a way that leaves open whether it had it, at `endedAt` (epoch ms).
 */
export type Intent = { readonly attempt: Attempt } & (
  | { readonly state: 'begun' }
  | { readonly state: 'done'; readonly result: KeptResult }
  | { readonly state: 'done'; readonly error: StoredError }
  | { readonly state: 'unknown'; readonly error: StoredError; readonly endedAt: number }
);

/** An intent as it was read, which may be changed as long as it is still that. */
export interface ReadIntent {
  readonly intent: Intent;
  readonly text: string;
}

const prefix = 'intent/';

/** The intents of calls, one for each name, in a store that their processes share: who has not written it does not act. */
export class Intents {
  readonly #state: StateStore;
  readonly #ttlMs: number;

  constructor(state: StateStore, keepMs: number) {
    this.#state = state;
    this.#ttlMs = keepMs;
  }

  async get(id: string): Promise<ReadIntent | undefined> {
    const text = await this.#state.get(prefix + id);
    // Own text: a record of the store.
    return text === undefined ? undefined : { intent: JSON.parse(text) as Intent, text };
  }

  /** Writes the intent in place of `before`. Undefined where it was not that any more. */
  async replace(id: string, before: ReadIntent | undefined, intent: Intent): Promise<ReadIntent | undefined> {
    const text = JSON.stringify(intent);
    const isMine = await this.#state.compareAndSet(prefix + id, before?.text, text, { ttlMs: this.#ttlMs });
    return isMine ? { intent, text } : undefined;
  }

  /** Forgets it, so that the call may be made again. */
  async forget(id: string, before: ReadIntent): Promise<boolean> {
    return this.#state.compareAndSet(prefix + id, before.text, undefined);
  }

  /** Writes how an attempt ended, or forgets it. Also where another process took this one for dead meanwhile and left it unknown; never in place of a later attempt. */
  async end(id: string, written: ReadIntent, end: Intent | undefined): Promise<void> {
    const write = (before: ReadIntent) => (end === undefined ? this.forget(id, before) : this.replace(id, before, end));
    if (await write(written)) return;
    const found = await this.get(id);
    if (found?.intent.state === 'unknown' && found.intent.attempt.id === written.intent.attempt.id) await write(found);
  }

  /** Resolves when the intent changes, at the latest after `atMostMs`. Rejects with the reason of `signal`. */
  async changed(id: string, before: ReadIntent, signal: AbortSignal, atMostMs: number): Promise<void> {
    let wake: () => void = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const stop = await this.#state.watch(prefix + id, wake);
    const timer = setTimeout(wake, atMostMs);
    signal.addEventListener('abort', wake, { once: true });
    try {
      // It may have changed before anybody watched.
      if (!signal.aborted && (await this.get(id))?.text === before.text) await woken;
      signal.throwIfAborted();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      await stop();
    }
  }
}
