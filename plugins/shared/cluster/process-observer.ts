import { isLockWith } from './process-lock.ts';

/** Time for which a lock must be free before its process counts as dead, in milliseconds. */
const deadAfterMs = 8000;

/** Age up to which an observation answers for a process that was in it, in milliseconds. */
const maxAgeMs = 500;

/** Longest gap between two observations that counts as observed, in milliseconds. */
const maxGapMs = 2500;

/** Interval of the observations that follow by themselves, in milliseconds. */
const intervalMs = 1000;

/** Reads the lock keys of the processes in one statement, and whether each lock is held. */
export const readProcesses = `select process.id, process.lock_key::text as key, exists (
  select from pg_locks lock where ${isLockWith('process.lock_key')}
) as held from toolkit_processes process`;

/** Reads the milliseconds since the last statement on the connection that holds the lock of a process, by the clock of the database. */
export const readSilence = `select extract(epoch from clock_timestamp() - activity.state_change) * 1000 as silent_ms
  from toolkit_processes process
  join pg_locks lock on ${isLockWith('process.lock_key')}
  join pg_stat_activity activity on activity.pid = lock.pid
  where process.id = $1`;

/** Deletes the row of a dead process, unless it has come back with another lock. */
export const deleteProcess = 'delete from toolkit_processes where id = $1 and lock_key = $2';

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
 * The first question begins to observe; while a lock is free, further observations follow by themselves.
 */
export class ProcessObserver {
  readonly #read: () => Promise<readonly ObservedProcess[]>;
  readonly #delete: (process: ObservedProcess) => Promise<void>;
  readonly #now: () => number;
  #absences = new Map<string, Absence>();
  #known: ReadonlySet<string> | undefined;
  #observedAt = Number.NEGATIVE_INFINITY;
  #observing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `read`: runs `readProcesses`. `remove`: runs `deleteProcess`. `now`: monotonic clock in milliseconds. */
  constructor(
    read: () => Promise<readonly ObservedProcess[]>,
    remove: (process: ObservedProcess) => Promise<void>,
    now: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#delete = remove;
    this.#now = now;
  }

  /** Resolves to true when the process has ended or died. Rejects when the database is away. */
  async isDead(id: string): Promise<boolean> {
    if (this.#now() - this.#observedAt > maxAgeMs) await this.#observeOnce();
    // It may have begun since: only an observation that begins now says that it has no row.
    if (this.#known?.has(id) !== true) {
      await this.#observing?.catch(() => {});
      await this.#observeOnce();
    }
    return this.#known?.has(id) !== true || (this.#absences.get(id)?.observedMs ?? 0) >= deadAfterMs;
  }

  #observeOnce(): Promise<void> {
    this.#observing ??= this.#observe().finally(() => {
      this.#observing = undefined;
    });
    return this.#observing;
  }

  async #observe(): Promise<void> {
    // Before the read: time that it takes is no absence.
    const at = this.#now();
    const found = await this.#read();
    const gap = at - this.#observedAt;
    const observedMs = gap <= maxGapMs ? gap : 0;
    const absences = new Map<string, Absence>();
    for (const process of found) {
      const { id, key, held } = process;
      const before = this.#absences.get(id);
      const absentMs = before?.key === key ? before.observedMs + observedMs : 0;
      if (!held) absences.set(id, { key, observedMs: absentMs });
      // A row that stays does no harm.
      if (!held && absentMs >= deadAfterMs) await this.#delete(process).catch(() => {});
    }
    this.#absences = absences;
    this.#known = new Set(found.map(({ id }) => id));
    this.#observedAt = at;
    if (absences.size > 0) this.#observeLater();
  }

  /** Callers may ask less often than an absence allows. A failure ends this, until the next question. */
  #observeLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#observeOnce().catch(() => {});
    }, intervalMs).unref();
  }
}
