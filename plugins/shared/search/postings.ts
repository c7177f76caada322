import { setImmediate } from 'node:timers/promises';

/** For each term, by its number, the tools that have it: their places in the list, ascending, and what the term counts in each. */
export class Postings {
  readonly ids: Uint32Array;
  readonly weights: Float32Array;
  readonly #starts: Uint32Array;

  /** `starts`: where the tools of each term begin, and where those of the last one end. */
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

  /** Returns how much the term counts in a tool; 0 where it has it not. Looks by halves. */
  weightOf(term: number, id: number): number {
    let [low, high] = [this.start(term), this.end(term)];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ids[middle] as number) < id) low = middle + 1;
      else high = middle;
    }
    return low < this.end(term) && this.ids[low] === id ? (this.weights[low] as number) : 0;
  }

  /** The number of tools that have it. */
  count(term: number): number {
    return this.end(term) - this.start(term);
  }
}

/** Terms of tools in the order of the tools, as they were read. */
interface Portion {
  readonly terms: Uint32Array;
  readonly ids: Uint32Array;
  readonly weights: Float32Array;
}

/** Sorting so many takes about 1 ms. */
const portionSize = 65_536;

/** Collects what terms count in tools, one tool after the other. */
export class PostingsBuilder {
  #portions: Portion[] = [];
  /** How many there are in the last portion. */
  #filled = portionSize;
  /** How many tools have a term. */
  #counts = new Uint32Array(1024);
  /** What a term counts in the tool that is read. */
  #sums = new Float64Array(1024);
  readonly #terms: number[] = [];

  add(term: number, weight: number): void {
    if (term >= this.#sums.length) this.#grow(term + 1);
    const sum = this.#sums[term] as number;
    if (sum === 0) this.#terms.push(term);
    this.#sums[term] = sum + weight;
  }

  /** What was added since the last tool belongs to this one. */
  endTool(id: number): void {
    for (const term of this.#terms) {
      if (this.#filled === portionSize) {
        this.#portions.push(emptyPortion());
        this.#filled = 0;
      }
      const { terms, ids, weights } = this.#portions.at(-1) as Portion;
      terms[this.#filled] = term;
      ids[this.#filled] = id;
      weights[this.#filled] = this.#sums[term] as number;
      this.#filled++;
      this.#counts[term] = (this.#counts[term] as number) + 1;
      this.#sums[term] = 0;
    }
    this.#terms.length = 0;
  }

  /** Sorts them by term; others get their turn meanwhile. `termCount`: above every number of a term. Nothing can be added afterwards. */
  async build(termCount: number): Promise<Postings> {
    const starts = new Uint32Array(termCount + 1);
    for (let term = 0; term < termCount; term++) starts[term + 1] = (starts[term] as number) + (this.#counts[term] ?? 0);
    const total = starts[termCount] as number;
    const [ids, weights, next] = [new Uint32Array(total), new Float32Array(total), starts.slice()];
    let left = total;
    for (const portion of this.#portions) {
      const filled = Math.min(left, portionSize);
      for (let place = 0; place < filled; place++) {
        const term = portion.terms[place] as number;
        const at = next[term] as number;
        ids[at] = portion.ids[place] as number;
        weights[at] = portion.weights[place] as number;
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
