import type { CallEnd, ToolkitError } from '../../kernel/index.ts';
import type { SharedPlace } from './shared-results.ts';

/** What a call that others wait for came to. */
export type RunningCallEnd =
  | { readonly type: 'result'; readonly result: Buffer }
  | { readonly type: 'failed'; readonly error: ToolkitError }
  /** It was cancelled, or its time was over: that says nothing to the others. */
  | { readonly type: 'given up' }
  /** It went well, but its result is not to be passed on. */
  | { readonly type: 'private' };

export interface RunningCall {
  readonly key: string;
  readonly ended: Promise<RunningCallEnd>;
}

export interface EndedCall {
  readonly key: string;
  readonly tenant: string;
  readonly result?: Buffer;
  readonly place?: SharedPlace;
}

interface Running extends RunningCall {
  readonly tenant: string;
  result?: Buffer;
  /** Where other processes are to find the result. */
  place?: SharedPlace;
  end(end: RunningCallEnd): void;
}

/** Calls that run, by key and by id, so that the same call at the same time runs once. */
export class RunningCalls {
  readonly #byKey = new Map<string, Running>();
  readonly #byCall = new Map<string, Running>();

  get(key: string): RunningCall | undefined {
    return this.#byKey.get(key);
  }

  /** The call runs for all that come with the same key until it has ended. */
  begin(key: string, callId: string, tenant: string): void {
    let end: Running['end'] = () => {};
    const ended = new Promise<RunningCallEnd>((resolve) => {
      end = resolve;
    });
    const running: Running = { key, tenant, ended, end };
    this.#byKey.set(key, running);
    this.#byCall.set(callId, running);
  }

  has(callId: string): boolean {
    return this.#byCall.has(callId);
  }

  setPlace(callId: string, place: SharedPlace): void {
    const running = this.#byCall.get(callId);
    if (running !== undefined) running.place = place;
  }

  /** It does not run after all, because the result is there by now: those who wait look again. */
  leave(callId: string): void {
    const running = this.#byCall.get(callId);
    this.#byCall.delete(callId);
    if (running !== undefined) this.#byKey.delete(running.key);
    running?.end({ type: 'given up' });
  }

  /** The result, as soon as it is there; whether it counts is known when the call has ended. */
  setResult(callId: string, result: Buffer): void {
    const running = this.#byCall.get(callId);
    if (running !== undefined) running.result = result;
  }

  /** Ends a call, if it runs here. Returns its key, its tenant, and the result if there is one to be kept. */
  end({ id, outcome }: Pick<CallEnd, 'id' | 'outcome'>): EndedCall | undefined {
    const running = this.#byCall.get(id);
    if (running === undefined) return undefined;
    this.#byCall.delete(id);
    this.#byKey.delete(running.key);
    const { key, tenant, result, place } = running;
    if (outcome.type === 'failed') {
      const { error } = outcome;
      const isGivenUp = error.code === 'ABORTED' || error.code === 'TIMEOUT';
      running.end(isGivenUp ? { type: 'given up' } : { type: 'failed', error });
      return { key, tenant };
    }
    running.end(result === undefined ? { type: 'private' } : { type: 'result', result });
    return { key, tenant, ...(result === undefined ? {} : { result }), ...(place === undefined ? {} : { place }) };
  }
}
