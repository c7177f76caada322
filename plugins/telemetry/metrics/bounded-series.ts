import { maxSeries, otherLabel } from './family.ts';

/** The value that a family counts for one combination of labels. */
export interface Slot<T> {
  readonly labels: readonly string[];
  readonly value: T;
}

/** The slot of some labels, or in its place that of `_OTHER`. */
export interface TakenSlot<T> {
  readonly value: T;
  readonly isFolded: boolean;
}

export interface BoundedSeriesOptions<T> {
  readonly labelCount: number;
  readonly create: () => T;
  /** Number of series that one slot is shown as. @default 1 */
  readonly seriesOfSlot?: number;
  /** @default 2000 */
  readonly max?: number;
}

/**
 * The series of a family. Labels that come once its limit is reached share the slot with `_OTHER` in every label, for which there is always room.
 * A combination that was shared stays so until others are removed.
 */
export class BoundedSeries<T> {
  readonly #slots = new Map<string, Slot<T>>();
  readonly #options: BoundedSeriesOptions<T>;
  readonly #maxSlots: number;
  readonly #otherLabels: readonly string[];
  /** Number of values that were counted for `_OTHER` because there was no room. */
  dropped = 0;

  constructor(options: BoundedSeriesOptions<T>) {
    const { labelCount, seriesOfSlot = 1, max = maxSeries } = options;
    this.#options = options;
    this.#maxSlots = Math.max(1, Math.floor(max / seriesOfSlot));
    this.#otherLabels = Array.from({ length: labelCount }, () => otherLabel);
  }

  /** Returns the slot of these labels. */
  take(labels: readonly string[]): TakenSlot<T> {
    const key = keyOf(labels);
    const known = this.#slots.get(key);
    if (known !== undefined) return { value: known.value, isFolded: false };
    const otherKey = keyOf(this.#otherLabels);
    const reserved = key === otherKey || this.#slots.has(otherKey) ? 0 : 1;
    if (this.#slots.size + reserved < this.#maxSlots) return { value: this.#add(key, labels), isFolded: false };
    return { value: this.#slots.get(otherKey)?.value ?? this.#add(otherKey, this.#otherLabels), isFolded: true };
  }

  /** Removes the slots whose labels are not kept. */
  keep(isKept: (labels: readonly string[]) => boolean): void {
    for (const [key, { labels }] of this.#slots) if (!isKept(labels)) this.#slots.delete(key);
  }

  get slots(): readonly Slot<T>[] {
    return [...this.#slots.values()];
  }

  #add(key: string, labels: readonly string[]): T {
    const value = this.#options.create();
    this.#slots.set(key, { labels, value });
    return value;
  }
}

function keyOf(labels: readonly string[]): string {
  return labels.join('\0');
}
