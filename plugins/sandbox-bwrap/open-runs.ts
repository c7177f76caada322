import type { WriteGrant } from '../../kernel/index.ts';

interface Run {
  /** Its own, and those of all runs that it overlapped. */
  readonly granted: Set<WriteGrant>;
}

/**
 * The runs that go on at this moment. Of two that overlap nobody can tell which has made a file: one of them was allowed to, so both count as
 * allowed.
 */
export class OpenRuns {
  readonly #open = new Set<Run>();

  /** `end` gives the grants by which what appeared meanwhile may have appeared. */
  begin(writes: readonly WriteGrant[]): { end(): readonly WriteGrant[] } {
    const run: Run = { granted: new Set(writes) };
    for (const other of this.#open) {
      for (const grant of writes) other.granted.add(grant);
      for (const grant of other.granted) run.granted.add(grant);
    }
    this.#open.add(run);
    return {
      end: () => {
        this.#open.delete(run);
        return [...run.granted];
      },
    };
  }
}
