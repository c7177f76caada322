import type { Kernel, Logger, Refusal } from '../../../../../kernel/index.ts';

/** How often one reason and address is reported, in milliseconds. */
const intervalMs = 60_000;

/** Reasons and addresses that are told apart; of those beyond, the address is not. */
const maxKept = 1000;

/** The address of those that are not told apart. */
const others = 'others';

type Occurrence = Omit<Refusal, 'count'>;

/**
 * Reports what is refused before it becomes a call, to the log and to plugins that keep records: the first of a reason and address at once, then once
 * a minute how many there were. Its memory is bounded, however many addresses come.
 */
export class RefusalReports {
  readonly #kernel: Pick<Kernel, 'reportRefusal'>;
  readonly #logger: Logger;
  /** Since the last report, by reason and address. */
  readonly #kept = new Map<string, { latest: Occurrence; count: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(kernel: Pick<Kernel, 'reportRefusal'>, logger: Logger) {
    this.#kernel = kernel;
    this.#logger = logger;
  }

  note(given: Occurrence): void {
    const isKnown = this.#kept.has(keyOf(given));
    const occurrence = isKnown || this.#kept.size < maxKept ? given : { ...given, address: others };
    const key = keyOf(occurrence);
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      kept.latest = occurrence;
      kept.count++;
      return;
    }
    this.#kept.set(key, { latest: occurrence, count: 0 });
    this.#timer ??= setInterval(() => this.#reportAll(), intervalMs).unref();
    this.#report(occurrence, 1);
  }

  /** Reports what was counted and is not reported yet. */
  close(): void {
    this.#reportAll();
    clearInterval(this.#timer);
  }

  #reportAll(): void {
    for (const [key, kept] of this.#kept) {
      const { latest, count } = kept;
      // A minute without: the next one is reported at once.
      if (count === 0) this.#kept.delete(key);
      else this.#report(latest, count);
      kept.count = 0;
    }
    if (this.#kept.size > 0) return;
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
