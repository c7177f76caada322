/** Time for which a lock must be free before its process counts as dead, in milliseconds. */
const deadAfterMs = 8000;

/** Longest gap between two observations that counts as observed, in milliseconds. */
const maxGapMs = 2500;

/** Reads the lock keys of the processes in one statement, and whether each lock is held. */
export const readProcesses = `select process.id, process.lock_key::text as key, exists (
  select from pg_locks lock where lock.locktype = 'advisory' and lock.granted and lock.objsubid = 1
  and lock.database = (select oid from pg_database where datname = current_database())
  and (lock.classid::bigint << 32) | lock.objid::bigint = process.lock_key
) as held from toolkit_processes process`;

export interface ObservedProcess {
  readonly id: string;
  readonly key: string;
  readonly held: boolean;
}

interface Absence {
  readonly key: string;
  readonly observedMs: number;
}

/**
 * Finds out which processes are dead. A free lock counts as death after eight seconds in which this process reached the database, by its own
 * monotonic clock: an outage of the database, or a standstill of this process, adds nothing. A process without a row has ended.
 */
export class ProcessObserver {
  readonly #read: () => Promise<readonly ObservedProcess[]>;
  readonly #now: () => number;
  #absences = new Map<string, Absence>();
  #known: ReadonlySet<string> | undefined;
  #observedAt = Number.NEGATIVE_INFINITY;

  /** `read`: runs `readProcesses`. `now`: monotonic clock in milliseconds. */
  constructor(read: () => Promise<readonly ObservedProcess[]>, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#now = now;
  }

  /** Observes all processes. Call it about once a second. Rejects when the database is away. */
  async observe(): Promise<void> {
    // Before the read: time that it takes is no absence.
    const at = this.#now();
    const found = await this.#read();
    const gap = at - this.#observedAt;
    const observedMs = gap <= maxGapMs ? gap : 0;
    const absences = new Map<string, Absence>();
    for (const { id, key, held } of found) {
      const before = this.#absences.get(id);
      if (!held) absences.set(id, { key, observedMs: before?.key === key ? before.observedMs + observedMs : 0 });
    }
    this.#absences = absences;
    this.#known = new Set(found.map(({ id }) => id));
    this.#observedAt = at;
  }

  /** True when the process has ended or died, as far as the last observation says. False before the first one. */
  isDead(id: string): boolean {
    if (this.#known === undefined) return false;
    return !this.#known.has(id) || (this.#absences.get(id)?.observedMs ?? 0) >= deadAfterMs;
  }
}
