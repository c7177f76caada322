import type { CallEnd, ToolkitError } from '../../kernel/index.ts';

/** What a call that others wait for came to. */
export type Landing =
  | { readonly type: 'result'; readonly result: Buffer }
  | { readonly type: 'failed'; readonly error: ToolkitError }
  /** It was cancelled, or its time was over: that says nothing to the others. */
  | { readonly type: 'given up' }
  /** It went well, but its result is not to be passed on. */
  | { readonly type: 'private' };

export interface Flight {
  readonly key: string;
  readonly landed: Promise<Landing>;
}

interface Running extends Flight {
  result?: Buffer;
  land(landing: Landing): void;
}

/** Calls that run, by key and by id, so that the same call at the same time runs once. */
export class Flights {
  readonly #byKey = new Map<string, Running>();
  readonly #byCall = new Map<string, Running>();

  get(key: string): Flight | undefined {
    return this.#byKey.get(key);
  }

  /** The call runs for all that come with the same key until it has landed. */
  begin(key: string, callId: string): void {
    let land: Running['land'] = () => {};
    const landed = new Promise<Landing>((resolve) => {
      land = resolve;
    });
    const flight = { key, landed, land };
    this.#byKey.set(key, flight);
    this.#byCall.set(callId, flight);
  }

  has(callId: string): boolean {
    return this.#byCall.has(callId);
  }

  /** The result, as soon as it is there; whether it counts is known when the call has landed. */
  carry(callId: string, result: Buffer): void {
    const flight = this.#byCall.get(callId);
    if (flight !== undefined) flight.result = result;
  }

  /** Ends the flight of a call, if it has one. Returns its key, and the result if there is one to be kept. */
  land({ id, outcome }: Pick<CallEnd, 'id' | 'outcome'>): { readonly key: string; readonly result?: Buffer } | undefined {
    const flight = this.#byCall.get(id);
    if (flight === undefined) return undefined;
    this.#byCall.delete(id);
    this.#byKey.delete(flight.key);
    const { key, result } = flight;
    if (outcome.type === 'failed') {
      const { error } = outcome;
      const isGivenUp = error.code === 'ABORTED' || error.code === 'TIMEOUT';
      flight.land(isGivenUp ? { type: 'given up' } : { type: 'failed', error });
      return { key };
    }
    flight.land(result === undefined ? { type: 'private' } : { type: 'result', result });
    return { key, ...(result === undefined ? {} : { result }) };
  }
}
