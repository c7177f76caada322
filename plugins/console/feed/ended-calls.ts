import type { EndedCall } from '../wire/calls.ts';
import { boundedCopy, fitsWithin } from './bounded-copy.ts';

/** Number of ended calls that are kept. */
export const maxEndedCalls = 1000;

/** Number of ended calls whose parameters are kept: the last ones. */
export const maxWithParameters = 200;

/** Maximum size of the parameters of a call, in characters of their JSON. */
export const maxParameterCharacters = 200_000;

/** The parameters of a call as far as they are kept. */
export interface KeptParameters {
  readonly parameters: unknown;
  /** A sentence about what is missing. Absent when nothing is. */
  readonly note?: string;
}

/** An ended call with its number, which counts from 1. */
interface KeptCall {
  readonly number: number;
  readonly call: EndedCall;
  kept: KeptParameters;
}

const forgotten: KeptParameters = {
  parameters: undefined,
  note: `The parameters are no longer kept: only the last ${maxWithParameters} calls of this process have them.`,
};

/** The last ended calls of this process, bounded in number and size. */
export class EndedCalls {
  readonly #byId = new Map<string, KeptCall>();
  /** Calls by the rest of their number divided by `maxEndedCalls`. */
  readonly #calls: KeptCall[] = [];
  #count = 0;

  add(call: EndedCall, parameters: Readonly<Record<string, unknown>>): void {
    const kept: KeptCall = { number: ++this.#count, call, kept: keptParameters(parameters) };
    const replaced = this.#at(kept.number);
    if (replaced !== undefined) this.#byId.delete(replaced.call.callId);
    this.#calls[kept.number % maxEndedCalls] = kept;
    this.#byId.set(call.callId, kept);
    const old = this.#at(kept.number - maxWithParameters);
    if (old !== undefined) old.kept = forgotten;
  }

  get(callId: string): { readonly call: EndedCall; readonly kept: KeptParameters } | undefined {
    return this.#byId.get(callId);
  }

  /** Returns calls, newest first. `before`: the number of the last call of the page before. `next`: that of this page, if another one follows. */
  page(
    limit: number,
    { before, tool }: { readonly before?: number; readonly tool?: string } = {},
  ): {
    readonly calls: readonly EndedCall[];
    readonly next?: number;
  } {
    const found: KeptCall[] = [];
    const oldest = Math.max(1, this.#count - maxEndedCalls + 1);
    for (let number = Math.min(this.#count, (before ?? Number.POSITIVE_INFINITY) - 1); number >= oldest; number--) {
      const kept = this.#at(number);
      if (kept === undefined || (tool !== undefined && kept.call.tool !== tool)) continue;
      const last = found.at(-1);
      if (found.length === limit && last !== undefined) return { calls: found.map(({ call }) => call), next: last.number };
      found.push(kept);
    }
    return { calls: found.map(({ call }) => call) };
  }

  #at(number: number): KeptCall | undefined {
    return this.#calls[number % maxEndedCalls];
  }
}

function keptParameters(parameters: Readonly<Record<string, unknown>>): KeptParameters {
  if (fitsWithin(parameters, maxParameterCharacters)) return { parameters };
  return { parameters: boundedCopy(parameters, maxParameterCharacters).value, note: cutNote };
}

/** Says that parameters are cut. */
export const cutNote: string = `The parameters are cut to ${maxParameterCharacters / 1000} kB.`;
