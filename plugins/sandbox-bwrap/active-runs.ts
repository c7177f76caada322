import type { WriteGrant } from '../../kernel/index.ts';

interface Run {
  /** The grants of this run, and of all runs that overlapped it. */
  readonly granted: Set<WriteGrant>;
}

/**
 * The runs that go on at this moment. Of two runs that overlap it is unknown which made a file. One of them was allowed to, so
 * both count as allowed.
 */
export class ActiveRuns {
  readonly #active = new Set<Run>();

  /** Begins a run. `end` returns the grants that may explain files that appeared meanwhile. */
  begin(writes: readonly WriteGrant[]): { end(): readonly WriteGrant[] } {
    const run: Run = { granted: new Set(writes) };
    for (const other of this.#active) {
      for (const grant of writes) other.granted.add(grant);
      for (const grant of other.granted) run.granted.add(grant);
    }
    this.#active.add(run);
    return {
      end: () => {
        this.#active.delete(run);
        return [...run.granted];
      },
    };
  }
}
