import { describeValue, excerpt, type Gauge, type GaugeRow, isPlainObject, type Logger, messageOf } from '../../../kernel/index.ts';

export interface GaugeReaderOptions {
  readonly logger: Logger;
  readonly mask: (text: string) => string;
  /** Time limit of all reads together, in milliseconds. @default 2000 */
  readonly timeoutMs?: number;
}

type Rows = readonly GaugeRow[] | undefined;

/**
 * Reads gauges, all at the same time. One that does not answer in time is left out and not read again until it has answered, so that a dead database
 * costs one read; one that fails is left out too. Either is logged once, until it works again.
 */
export class GaugeReader {
  readonly #logger: Logger;
  readonly #mask: (text: string) => string;
  readonly #timeoutMs: number;
  readonly #pending = new Map<Gauge, Promise<Rows>>();
  readonly #failing = new Set<Gauge>();

  constructor({ logger, mask, timeoutMs = 2000 }: GaugeReaderOptions) {
    this.#logger = logger;
    this.#mask = mask;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns the rows of the gauges that are known now. Never throws. */
  async read(gauges: readonly Gauge[]): Promise<ReadonlyMap<Gauge, readonly GaugeRow[]>> {
    const known = new Map<Gauge, readonly GaugeRow[]>();
    const late = new Set(gauges);
    let isOver = false;
    const reads = gauges.map(async (gauge) => {
      const rows = await this.#readOne(gauge);
      if (isOver) return;
      late.delete(gauge);
      if (rows !== undefined) known.set(gauge, rows);
    });
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#timeoutMs);
    });
    await Promise.race([Promise.all(reads), limit]);
    clearTimeout(timer);
    isOver = true;
    for (const gauge of late) this.#report(gauge, `no answer within ${this.#timeoutMs} ms`);
    return known;
  }

  #readOne(gauge: Gauge): Promise<Rows> {
    const running = this.#pending.get(gauge);
    if (running !== undefined) return running;
    const read = this.#readNow(gauge).finally(() => this.#pending.delete(gauge));
    this.#pending.set(gauge, read);
    return read;
  }

  async #readNow(gauge: Gauge): Promise<Rows> {
    try {
      const given = await gauge.read();
      const rows = typeof given === 'number' ? [{ labels: {}, value: given }] : given;
      const isCounter = gauge.kind === 'counter';
      for (const { labels, value } of rows ?? [])
        if (!Number.isFinite(value) || (isCounter && value < 0) || !isPlainObject(labels))
          throw new RangeError(`expected a number, or rows of labels and a number, received ${describeValue(value)}`);
      this.#failing.delete(gauge);
      return rows;
    } catch (error) {
      this.#report(gauge, excerpt(this.#mask(messageOf(error))));
      return undefined;
    }
  }

  #report(gauge: Gauge, reason: string): void {
    if (this.#failing.has(gauge)) return;
    this.#failing.add(gauge);
    this.#logger.warn(`the number "${gauge.name}" cannot be read and is left out: ${reason}`);
  }
}
