import type { CallEnd, ToolkitError } from '../../kernel/index.ts';
import type { SharedKey } from './shared-results.ts';

/** End of a call that others wait for. */
export type RunningCallEnd =
  | { readonly type: 'result'; readonly result: Buffer }
  | { readonly type: 'failed'; readonly error: ToolkitError }
  /** Cancelled or timed out; says nothing about the other calls. */
  | { readonly type: 'given up' }
  /** Successful, but its result must not be shared. */
  | { readonly type: 'private' };

export interface RunningCall {
  readonly key: string;
  readonly ended: Promise<RunningCallEnd>;
}

export interface EndedCall {
  readonly key: string;
  readonly tenant: string;
  readonly result?: Buffer;
  readonly sharedKey?: SharedKey;
}

interface RunningEntry extends RunningCall {
  readonly tenant: string;
  result?: Buffer;
  /** The shared cache entry to write the result to. */
  sharedKey?: SharedKey;
  end(end: RunningCallEnd): void;
}

/** Running calls by cache key and by call id, so that concurrent identical calls run once. */
export class RunningCalls {
  readonly #byKey = new Map<string, RunningEntry>();
  readonly #byCall = new Map<string, RunningEntry>();

  get(key: string): RunningCall | undefined {
    return this.#byKey.get(key);
  }

  /** Registers a call that runs for all calls with the same key until it ends. */
  begin(key: string, callId: string, tenant: string): void {
    let end: RunningEntry['end'] = () => {};
    const ended = new Promise<RunningCallEnd>((resolve) => {
      end = resolve;
    });
    const running: RunningEntry = { key, tenant, ended, end };
    this.#byKey.set(key, running);
    this.#byCall.set(callId, running);
  }

  has(callId: string): boolean {
    return this.#byCall.has(callId);
  }

  setSharedKey(callId: string, sharedKey: SharedKey): void {
    const running = this.#byCall.get(callId);
    if (running !== undefined) running.sharedKey = sharedKey;
  }

  /** Ends a call without running it, because the result was found meanwhile: the waiting calls check again. */
  abandon(callId: string): void {
    const running = this.#byCall.get(callId);
    this.#byCall.delete(callId);
    if (running !== undefined) this.#byKey.delete(running.key);
    running?.end({ type: 'given up' });
  }

  /** Sets the result of a call that has not ended yet. It counts only when the call succeeds. */
  setResult(callId: string, result: Buffer): void {
    const running = this.#byCall.get(callId);
    if (running !== undefined) running.result = result;
  }

  /** Ends a call that runs here. Returns its key, its tenant, and the result to cache, if any. */
  end({ id, outcome }: Pick<CallEnd, 'id' | 'outcome'>): EndedCall | undefined {
    const running = this.#byCall.get(id);
    if (running === undefined) return undefined;
    this.#byCall.delete(id);
    this.#byKey.delete(running.key);
    const { key, tenant, result, sharedKey } = running;
    if (outcome.type === 'failed') {
      const { error } = outcome;
      const isGivenUp = error.code === 'ABORTED' || error.code === 'TIMEOUT';
      running.end(isGivenUp ? { type: 'given up' } : { type: 'failed', error });
      return { key, tenant };
    }
    running.end(result === undefined ? { type: 'private' } : { type: 'result', result });
    return { key, tenant, ...(result === undefined ? {} : { result }), ...(sharedKey === undefined ? {} : { sharedKey }) };
  }
}
