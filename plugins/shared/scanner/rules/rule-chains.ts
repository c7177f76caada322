import type { WordClass } from '../words/word-class.ts';
import type { Rule } from './rule.ts';

/** A rule whose steps were all met, by the positions of the first and last word. */
export interface ChainMatch {
  readonly rule: Rule;
  readonly first: number;
  readonly last: number;
}

/**
 * Reads words one after another, and reports the rules whose steps they meet. Linear in the number of words: each step of a rule remembers
 * only the latest beginning that leads to it.
 */
export class RuleChains {
  readonly #rules: readonly Rule[];
  readonly #steps = new Map<WordClass, (readonly [rule: number, step: number])[]>();
  readonly #chains: number[][];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.#chains = rules.map(({ steps }) => new Array<number>(steps.length).fill(-1));
    for (const [index, { steps }] of rules.entries())
      for (let step = steps.length - 1; step >= 0; step -= 1)
        for (const name of steps[step] ?? []) this.#steps.set(name, [...(this.#steps.get(name) ?? []), [index, step]]);
  }

  /** Forgets the words that were read. */
  reset(): void {
    for (const chain of this.#chains) chain.fill(-1);
  }

  /** Reads a word. `sentenceOf` returns the sentence of a position. */
  push(classes: readonly WordClass[], at: number, sentenceOf: (position: number) => number | undefined): readonly ChainMatch[] {
    const steps = this.#stepsOf(classes);
    if (steps.length === 0) return [];
    const found: ChainMatch[] = [];
    for (const [index, step] of steps) {
      const [rule, chain] = [this.#rules[index] as Rule, this.#chains[index] as number[]];
      const from = step === 0 ? at : (chain[step - 1] ?? -1);
      if (from < 0 || at - from > rule.within || (rule.crosses !== true && sentenceOf(from) !== sentenceOf(at))) continue;
      if (step < rule.steps.length - 1) chain[step] = from;
      else found.push({ rule, first: from, last: at });
    }
    return found;
  }

  /** Returns the steps that a word fills, later ones first, so that one word fills one step of a rule. */
  #stepsOf(classes: readonly WordClass[]): readonly (readonly [number, number])[] {
    if (classes.length === 0) return [];
    const steps = classes.flatMap((name) => this.#steps.get(name) ?? []);
    return classes.length === 1 ? steps : steps.sort(([, a], [, b]) => b - a);
  }
}
