/** Interval between two reports of one key, in milliseconds. */
const intervalMs = 60_000;

export interface RepeatedReportsOptions<Occurrence> {
  /** Returns the text by which occurrences count as the same. */
  readonly keyOf: (occurrence: Occurrence) => string;
  /** Maximum number of counted keys. Beyond it, occurrences are counted as `toOther` returns them. */
  readonly maxKeys: number;
  /** Returns an occurrence of a shared count: one of few keys. */
  readonly toOther: (occurrence: Occurrence) => Occurrence;
  /** `count`: the number of occurrences since the report before. */
  readonly report: (occurrence: Occurrence, count: number) => void;
}

/**
 * Reports things that anybody may cause, as often as they like. Reports the first occurrence of a key at once, then the number of further ones
 * once a minute, with the latest of them. Memory is bounded for any number of keys.
 */
export class RepeatedReports<Occurrence> {
  readonly #options: RepeatedReportsOptions<Occurrence>;
  /** Counts since the last report, by key. */
  readonly #counts = new Map<string, { latest: Occurrence; count: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RepeatedReportsOptions<Occurrence>) {
    this.#options = options;
  }

  note(given: Occurrence): void {
    const { keyOf, maxKeys, toOther, report } = this.#options;
    const isKnown = this.#counts.has(keyOf(given));
    const occurrence = isKnown || this.#counts.size < maxKeys ? given : toOther(given);
    const key = keyOf(occurrence);
    const kept = this.#counts.get(key);
    if (kept !== undefined) {
      kept.latest = occurrence;
      kept.count++;
      return;
    }
    this.#counts.set(key, { latest: occurrence, count: 0 });
    this.#timer ??= setInterval(() => this.#reportAll(), intervalMs).unref();
    report(occurrence, 1);
  }

  /** Reports the remaining counts. */
  close(): void {
    this.#reportAll();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #reportAll(): void {
    for (const [key, kept] of this.#counts) {
      const { latest, count } = kept;
      // After a minute without an occurrence the next one is reported at once.
      if (count === 0) this.#counts.delete(key);
      else this.#options.report(latest, count);
      kept.count = 0;
    }
    if (this.#counts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
