import type { WordClass } from '../words/word-class.ts';
import type { Rule } from './rule.ts';

/** A rule whose steps were all met, by the positions of the first and last word. */
export interface ChainMatch {
  readonly rule: Rule;
  readonly first: number;
  readonly last: number;
}

/** A step of a rule. */
type Step = readonly [rule: Rule, step: number];

/** The steps that words of each class fill. */
export type StepIndex = ReadonlyMap<WordClass, readonly Step[]>;

/** Returns the steps by class. Later steps of a rule come first, so that one word fills one step. */
export function indexSteps(rules: readonly Rule[]): StepIndex {
  const index = new Map<WordClass, Step[]>();
  for (const rule of rules)
    for (const [step, classes] of [...rule.steps.entries()].reverse())
      for (const name of classes) index.set(name, [...(index.get(name) ?? []), [rule, step]]);
  return index;
}

/**
 * Reads words one after another, and reports the rules whose steps they meet. Linear in the number of words: each step of a rule remembers
 * only the latest beginning that leads to it.
 */
export class RuleChains {
  readonly #index: StepIndex;
  /** The position of the first word of the latest passage that leads to each step. */
  readonly #chains = new Map<Rule, number[]>();

  constructor(index: StepIndex) {
    this.#index = index;
  }

  /** Reads a word. `sentenceOf` returns the sentence of a position. */
  push(classes: readonly WordClass[], at: number, sentenceOf: (position: number) => number | undefined): readonly ChainMatch[] {
    if (classes.length === 0) return [];
    const found: ChainMatch[] = [];
    for (const [rule, step] of this.#stepsOf(classes)) {
      const from = step === 0 ? at : this.#chains.get(rule)?.[step - 1];
      if (from === undefined || at - from > rule.within || (rule.crosses !== true && sentenceOf(from) !== sentenceOf(at))) continue;
      if (step === rule.steps.length - 1) found.push({ rule, first: from, last: at });
      else {
        const chain = this.#chains.get(rule) ?? [];
        chain[step] = from;
        this.#chains.set(rule, chain);
      }
    }
    return found;
  }

  #stepsOf(classes: readonly WordClass[]): readonly Step[] {
    const [first] = classes;
    if (classes.length === 1 && first !== undefined) return this.#index.get(first) ?? [];
    return classes.flatMap((name) => this.#index.get(name) ?? []).sort(([, one], [, other]) => other - one);
  }
}
