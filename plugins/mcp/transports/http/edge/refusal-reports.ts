import type { Kernel, Logger, Refusal } from '../../../../../kernel/index.ts';

/** Interval between two reports for one reason and address, in milliseconds. */
const intervalMs = 60_000;

/** Maximum number of counted reasons and addresses. Beyond it, addresses share one count. */
const maxCounts = 1000;

/** Address in the shared count. */
const otherAddresses = 'others';

type Occurrence = Omit<Refusal, 'count'>;

/**
 * Reports requests that are refused before they become calls, to the log and to plugins that keep records. Reports the first one of a
 * reason and address at once, then their number once a minute. Memory is bounded for any number of addresses.
 */
export class RefusalReports {
  readonly #kernel: Pick<Kernel, 'reportRefusal'>;
  readonly #logger: Logger;
  /** Counts since the last report, by reason and address. */
  readonly #counts = new Map<string, { latest: Occurrence; count: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(kernel: Pick<Kernel, 'reportRefusal'>, logger: Logger) {
    this.#kernel = kernel;
    this.#logger = logger;
  }

  note(given: Occurrence): void {
    const isKnown = this.#counts.has(keyOf(given));
    const occurrence = isKnown || this.#counts.size < maxCounts ? given : { ...given, address: otherAddresses };
    const key = keyOf(occurrence);
    const kept = this.#counts.get(key);
    if (kept !== undefined) {
      kept.latest = occurrence;
      kept.count++;
      return;
    }
    this.#counts.set(key, { latest: occurrence, count: 0 });
    this.#timer ??= setInterval(() => this.#reportAll(), intervalMs).unref();
    this.#report(occurrence, 1);
  }

  /** Reports the remaining counts. */
  close(): void {
    this.#reportAll();
    clearInterval(this.#timer);
  }

  #reportAll(): void {
    for (const [key, kept] of this.#counts) {
      const { latest, count } = kept;
      // After a minute without a refusal the next one is reported at once.
      if (count === 0) this.#counts.delete(key);
      else this.#report(latest, count);
      kept.count = 0;
    }
    if (this.#counts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #report(occurrence: Occurrence, count: number): void {
    const { reason, ...more } = occurrence;
    this.#logger.warn(`refused before it was a call: ${reason}`, { ...more, count });
    this.#kernel.reportRefusal({ ...occurrence, count });
  }
}

function keyOf({ reason, address }: Occurrence): string {
  return `${reason} ${address}`;
}
