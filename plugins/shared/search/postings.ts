import { setImmediate } from 'node:timers/promises';

/** Postings of an index: for each term number, the ids of the tools that have it, ascending, and its weight in each. */
export class Postings {
  readonly ids: Uint32Array;
  readonly weights: Float32Array;
  readonly #starts: Uint32Array;

  /** `starts`: offset of each term's first posting, and at the end the total. */
  constructor(starts: Uint32Array, ids: Uint32Array, weights: Float32Array) {
    this.#starts = starts;
    this.ids = ids;
    this.weights = weights;
  }

  start(term: number): number {
    return this.#starts[term] as number;
  }

  end(term: number): number {
    return this.#starts[term + 1] as number;
  }

  /** Returns the weight of a term in a tool; 0 when the tool does not have it. Binary search. */
  weightOf(term: number, id: number): number {
    let [low, high] = [this.start(term), this.end(term)];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ids[middle] as number) < id) low = middle + 1;
      else high = middle;
    }
    return low < this.end(term) && this.ids[low] === id ? (this.weights[low] as number) : 0;
  }

  /** Returns the number of tools that have the term. */
  count(term: number): number {
    return this.end(term) - this.start(term);
  }
}

/** Postings as they were added, in the order of tools. */
interface Portion {
  readonly terms: Uint32Array;
  readonly ids: Uint32Array;
  readonly weights: Float32Array;
}

/** Number of postings whose sorting takes about 1 ms. */
const portionSize = 65_536;

/** Collects the weights of terms, one tool after another. */
export class PostingsBuilder {
  #portions: Portion[] = [];
  /** Number of postings in the last portion. */
  #filledCount = portionSize;
  /** Number of tools by term. */
  #counts = new Uint32Array(1024);
  /** Weight of each term in the current tool. */
  #sums = new Float64Array(1024);
  readonly #terms: number[] = [];

  add(term: number, weight: number): void {
    if (term >= this.#sums.length) this.#grow(term + 1);
    const sum = this.#sums[term] as number;
    if (sum === 0) this.#terms.push(term);
    this.#sums[term] = sum + weight;
  }

  /** Assigns everything added since the previous call to this tool. */
  endTool(id: number): void {
    for (const term of this.#terms) {
      if (this.#filledCount === portionSize) {
        this.#portions.push(emptyPortion());
        this.#filledCount = 0;
      }
      const { terms, ids, weights } = this.#portions.at(-1) as Portion;
      terms[this.#filledCount] = term;
      ids[this.#filledCount] = id;
      weights[this.#filledCount] = this.#sums[term] as number;
      this.#filledCount++;
      this.#counts[term] = (this.#counts[term] as number) + 1;
      this.#sums[term] = 0;
    }
    this.#terms.length = 0;
  }

  /**
   * Sorts the postings by term, yielding to the event loop between portions. `termCount`: greater than every term number. Nothing can be
   * added afterwards.
   */
  async build(termCount: number): Promise<Postings> {
    const starts = new Uint32Array(termCount + 1);
    for (let term = 0; term < termCount; term++) starts[term + 1] = (starts[term] as number) + (this.#counts[term] ?? 0);
    const total = starts[termCount] as number;
    const [ids, weights, next] = [new Uint32Array(total), new Float32Array(total), starts.slice()];
    let left = total;
    for (const portion of this.#portions) {
      const filled = Math.min(left, portionSize);
      for (let index = 0; index < filled; index++) {
        const term = portion.terms[index] as number;
        const at = next[term] as number;
        ids[at] = portion.ids[index] as number;
        weights[at] = portion.weights[index] as number;
        next[term] = at + 1;
      }
      left -= filled;
      await setImmediate();
    }
    this.#portions = [];
    return new Postings(starts, ids, weights);
  }

  #grow(least: number): void {
    const size = Math.max(least, this.#sums.length * 2);
    const [sums, counts] = [new Float64Array(size), new Uint32Array(size)];
    sums.set(this.#sums);
    counts.set(this.#counts);
    this.#sums = sums;
    this.#counts = counts;
  }
}

function emptyPortion(): Portion {
  return { terms: new Uint32Array(portionSize), ids: new Uint32Array(portionSize), weights: new Float32Array(portionSize) };
}
