import type { ChainRecord } from './chain.ts';
import type { UnfinishedCall } from './verify-report.ts';

/** Calls that have an intent record and no end record yet. */
export class UnfinishedCalls {
  readonly #calls = new Map<string, UnfinishedCall>();

  /** Adds a record that was read at `place`. */
  add({ time, body }: Pick<ChainRecord, 'time' | 'body'>, location: { readonly file: string; readonly line: number }): void {
    const { event, call_id: id, tool, caller } = body;
    if (typeof id !== 'string') return;
    if (event === 'intent') this.#calls.set(id, { ...location, time, tool: String(tool), caller: String(caller), callId: id });
    else this.#calls.delete(id);
  }

  get unfinished(): readonly UnfinishedCall[] {
    return [...this.#calls.values()];
  }
}
