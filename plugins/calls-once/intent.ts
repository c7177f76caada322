import { type CallOutput, type StateChange, type StateStore, ToolkitError } from '../../kernel/index.ts';
import type { StoredError } from '../shared/calls/stored-error.ts';
import { isLater, parseStored, recordSteps, toStored } from '../shared/state/record-versions.ts';
import type { IntentIds } from './intent-ids.ts';

/** The stored part of a result: what the caller got, secrets masked. */
export type StoredResult = Pick<CallOutput, 'output' | 'content'>;

/** An attempt to make a call. */
export interface Attempt {
  readonly tool: string;
  /** Digest of the parameters. */
  readonly parameters: string;
  /** Digest of the definition's behaviour, and of what makes it safe to repeat. */
  readonly definition: string;
  /** Start time, epoch ms, by the clock of the process that made it. Never compared with another clock to decide whether it is over. */
  readonly at: number;
  /** Id of the process. */
  readonly by: string;
  /** Unique id of the attempt. */
  readonly id: string;
  /** Digest of the `once` of the attempt. Absent in intents of earlier versions, where it is the id of the intent. */
  readonly sentAs?: string;
  /** True when the store has a timer that ends when the attempt can have no further effect. */
  readonly isTimed?: true;
}

/**
 * The state of a call's effect. `begun`: the call runs, or its process died meanwhile. `done`: it had its effect, and this result or error.
 * `unknown`: it ended at `endedAt` (epoch ms, by the clock of the process that wrote it) in a way that leaves the effect open.
 */
export type Intent = { readonly attempt: Attempt } & (
  | { readonly state: 'begun' }
  | { readonly state: 'done'; readonly result: StoredResult }
  | { readonly state: 'done'; readonly error: StoredError }
  | { readonly state: 'unknown'; readonly error: StoredError; readonly endedAt: number }
);

export type OpenIntent = Exclude<Intent, { readonly state: 'done' }>;

/** An intent with the text it was read from, for a compare-and-set. */
export interface ReadIntent {
  readonly intent: Intent;
  readonly text: string;
}

/** Prefix of the keys of intents. */
export const intentPrefix = 'intent/';

/** Key of an intent, and key of the timer of its attempt, which expires by the clock of the store. */
const intentKey = (id: string): string => `${intentPrefix}${id}`;
const timerKey = (id: string): string => `settling/${id}`;

/** The intents of calls, one for each name, in a store that processes share. A call runs only after its intent is written. */
export class Intents {
  readonly #state: StateStore;
  readonly #ttlMs: number;

  constructor(state: StateStore, retentionMs: number) {
    this.#state = state;
    this.#ttlMs = retentionMs;
  }

  /** Rejects with STATE_UNAVAILABLE for an intent of a later version. */
  async get(id: string): Promise<ReadIntent | undefined> {
    const text = await this.#state.get(intentKey(id));
    if (text === undefined) return undefined;
    const intent = parseStored<Intent>(text, recordSteps.intent);
    if (!isLater(intent)) return { intent, text };
    throw new ToolkitError(
      'STATE_UNAVAILABLE',
      'A later version of this program wrote what is known of the effect of this call, so that it is not run. Install that one.',
      { retryable: false },
    );
  }

  /** Finds the intent of a name, also the one that an earlier version stored. Returns its id, without an intent that of a new one. */
  async find({ id, earlierId }: Pick<IntentIds, 'id' | 'earlierId'>): Promise<{ readonly id: string; readonly found?: ReadIntent }> {
    const [present, earlier] = await Promise.all([this.get(id), this.get(earlierId)]);
    if (present !== undefined) return { id, found: present };
    return earlier === undefined ? { id } : { id: earlierId, found: earlier };
  }

  /**
   * Writes the intent in place of `before`. Undefined when another process has changed it. `timerMs`: time after which the attempt can have no
   * further effect, for an attempt that is timed. Without it a timer goes on until the effect is done.
   */
  async replace(id: string, before: ReadIntent | undefined, intent: Intent, timerMs?: number): Promise<ReadIntent | undefined> {
    const text = toStored(intent, recordSteps.intent);
    const also = timerOf(id, intent, timerMs);
    const isMine = await this.#state.compareAndSet(intentKey(id), before?.text, text, { ttlMs: this.#ttlMs, also });
    return isMine ? { intent, text } : undefined;
  }

  /** Deletes the intent, so that the call may be made again. */
  async forget(id: string, before: ReadIntent): Promise<boolean> {
    return this.#state.compareAndSet(intentKey(id), before.text, undefined);
  }

  /** True while an attempt may still have an effect, by the clock of the store. */
  async isSettling(id: string, attempt: Attempt): Promise<boolean> {
    return (await this.#state.get(timerKey(id))) === attempt.id;
  }

  /**
   * Writes how an attempt ended, or deletes the intent. Also when another process took this one for dead and wrote "unknown"; never over a later
   * attempt.
   */
  async end(id: string, written: ReadIntent, end: Intent | undefined, timerMs?: number): Promise<void> {
    for (let before: ReadIntent | undefined = written; before !== undefined && isOpenAttempt(before, written); before = await this.get(id))
      if (end === undefined ? await this.forget(id, before) : await this.replace(id, before, end, timerMs)) return;
  }

  /** Resolves when the intent changes, at the latest after `timeoutMs`. Rejects with the reason of `signal`. */
  async waitForChange(id: string, before: ReadIntent, signal: AbortSignal, timeoutMs: number): Promise<void> {
    let wake: () => void = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const stop = await this.#state.watch(intentKey(id), wake);
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

/** True for an intent whose outcome the attempt may still write. */
function isOpenAttempt({ intent }: ReadIntent, written: ReadIntent): boolean {
  return intent.state !== 'done' && intent.attempt.id === written.intent.attempt.id;
}

/** Returns the change that starts the timer of a timed attempt, or ends it. */
function timerOf(id: string, { attempt, state }: Intent, timerMs: number | undefined): readonly StateChange[] {
  const key = timerKey(id);
  if (attempt.isTimed !== true) return [];
  if (state === 'done') return [{ key, value: undefined }];
  if (timerMs === undefined) return [];
  return [timerMs <= 0 ? { key, value: undefined } : { key, value: attempt.id, ttlMs: Math.ceil(timerMs) }];
}
