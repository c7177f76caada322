import { type IANAZone, Zone } from 'luxon';
import type { Clocks } from './clocks.ts';
import { type OffsetChange, offsetChanges } from './offset-changes.ts';
import type { ZoneData } from './zone-data.ts';

/** Years after which the Gregorian calendar repeats, with its weekdays. */
const cycleYears = 400;

const dayMs = 24 * 60 * 60 * 1000;

const cycleMs = 146_097 * dayMs;

const yearMs = cycleMs / cycleYears;

/** Step when comparing clocks, in milliseconds; a period of summer time is longer. */
const stepMs = 20 * dayMs;

/** Years that are compared; most changes of rules begin within one. */
const comparedYears = 12;

function differ(own: IANAZone, changes: readonly OffsetChange[], since: number): boolean {
  return changes.some(({ at, offsetMinutes }, index) => {
    const end = changes[index + 1]?.at ?? since + comparedYears * yearMs;
    // Right after the change, and right before the next one.
    if (own.offset(at) !== offsetMinutes || own.offset(end - 1) !== offsetMinutes) return true;
    for (let between = at + stepMs; between < end; between += stepMs) if (own.offset(between) !== offsetMinutes) return true;
    return false;
  });
}

/**
 * A zone whose rules have changed since the data of this Node. Before `since` (epoch ms) it uses Node's data, which know more of the past;
 * from then on the newer data.
 */
export class NewerZone extends Zone implements Clocks {
  /** Version of the data, such as `2026d`. */
  readonly version: string;
  readonly #own: IANAZone;
  readonly #changes: readonly OffsetChange[];

  private constructor(own: IANAZone, version: string, changes: readonly OffsetChange[]) {
    super();
    this.#own = own;
    this.version = version;
    this.#changes = changes;
  }

  /** Creates the zone when its clocks differ from Node's in the years after `since`; undefined otherwise. */
  static where(own: IANAZone, data: ZoneData, since: number): NewerZone | undefined {
    const compared = offsetChanges(data, own.name, since, since + comparedYears * yearMs);
    if (compared === undefined || !differ(own, compared, since)) return undefined;
    return new NewerZone(own, data.version, offsetChanges(data, own.name, since, since + cycleMs + yearMs) ?? []);
  }

  /** Not `iana`, because luxon would ask Intl for that. */
  override get type(): string {
    return 'newer';
  }

  override get name(): string {
    return this.#own.name;
  }

  get ianaName(): string {
    return this.#own.name;
  }

  override get isUniversal(): boolean {
    return false;
  }

  override get isValid(): boolean {
    return true;
  }

  /** Returns the minutes ahead of UTC. */
  override offset(at: number): number {
    const cycles = this.#cyclesTo(at);
    return cycles === undefined ? this.#own.offset(at) : (this.#changes[this.#indexAt(at - cycles * cycleMs)]?.offsetMinutes ?? 0);
  }

  nextChange(at: number): number {
    const cycles = this.#cyclesTo(at);
    if (cycles === undefined) return this.#nextOwnChange(at);
    const next = this.#changes[this.#indexAt(at - cycles * cycleMs) + 1];
    return next === undefined ? Number.POSITIVE_INFINITY : next.at + cycles * cycleMs;
  }

  /** Returns how often the calendar has repeated since the beginning of the data; undefined before that. */
  #cyclesTo(at: number): number | undefined {
    const since = this.#changes[0]?.at ?? Number.POSITIVE_INFINITY;
    return at < since ? undefined : Math.floor((at - since) / cycleMs);
  }

  /** Finds the next change before the beginning of the data, day by day. At their beginning the offset may change too. */
  #nextOwnChange(at: number): number {
    const since = this.#changes[0]?.at ?? Number.POSITIVE_INFINITY;
    const offset = this.offset(at);
    let low = at;
    while (low < since && this.offset(Math.min(low + dayMs, since)) === offset) low += dayMs;
    if (low >= since) return this.nextChange(since);
    let high = Math.min(low + dayMs, since);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offset(middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  }

  /** Returns Node's name when its clocks show the same, else the offset: Node would confuse standard and summer time. */
  override offsetName(at: number, options: { readonly format?: 'short' | 'long'; readonly locale?: string }): string | null {
    if (this.offset(at) === this.#own.offset(at)) return this.#own.offsetName(at, options);
    return `GMT${this.formatOffset(at, 'short')}`;
  }

  override formatOffset(at: number, format: 'narrow' | 'short' | 'techie'): string {
    const minutes = this.offset(at);
    const hours = String(Math.trunc(Math.abs(minutes) / 60));
    const rest = Math.abs(minutes) % 60;
    const sign = minutes < 0 ? '-' : '+';
    if (format === 'narrow') return `${sign}${hours}${rest === 0 ? '' : `:${rest}`}`;
    return `${sign}${hours.padStart(2, '0')}${format === 'short' ? ':' : ''}${String(rest).padStart(2, '0')}`;
  }

  override equals(other: Zone): boolean {
    return other instanceof NewerZone && other.name === this.name;
  }

  /** Returns the index of the last change up to a time. */
  #indexAt(at: number): number {
    let [low, high] = [0, this.#changes.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#changes[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
