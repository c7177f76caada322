import { passage } from './checks/passage.ts';
import type { TextFinding } from './finding.ts';
import { indexSteps, RuleChains } from './rules/rule-chains.ts';
import { rules } from './rules/rules.ts';
import { classesAt } from './words/classes-at.ts';
import type { Token } from './words/token.ts';

/** Words of the beginning and end of a text that can belong to a sentence which goes on in another text. */
const edge = 14;

/** Rules whose passage is told by its words alone. */
const strong = indexSteps(
  rules.filter(({ severity, within, kind }) => severity === 'hard' && within <= 14 && (kind === 'override' || kind === 'concealment')),
);

/** Finds sentences that are divided among the texts of one source: "Ignore all previous" in one description, "instructions" in the next. */
export class SplitTexts {
  readonly #chains = new RuleChains(strong);
  /** The last words, by position. */
  readonly #words = new Map<number, { readonly text: number; readonly word: string }>();
  #position = 0;
  #text = 0;

  /** Reads the next text of the source, and returns a finding for a sentence that began in an earlier one. */
  read(tokens: readonly Token[]): TextFinding | undefined {
    this.#text += 1;
    let found: TextFinding | undefined;
    for (const [at, token] of tokens.entries()) {
      if (at >= edge && at < tokens.length - edge) continue;
      this.#words.set(this.#position, { text: this.#text, word: token.word });
      this.#words.delete(this.#position - 32);
      const classes = classesAt(tokens, at, () => undefined);
      for (const { rule, first } of this.#chains.push(classes, this.#position, () => 0)) {
        if (this.#words.get(first)?.text === this.#text) continue;
        const said = this.#said(first);
        found ??= {
          severity: 'hard',
          kind: 'split text',
          message: `It continues the text before it. ${rule.message}`,
          excerpt: passage(said, 0, said.length),
        };
      }
      this.#position += 1;
    }
    return found;
  }

  #said(first: number): string {
    const words: string[] = [];
    for (let at = first; at <= this.#position; at += 1) words.push(this.#words.get(at)?.word ?? '');
    return words.join(' ');
  }
}
