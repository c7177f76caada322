import { ToolkitError } from '../../../kernel/index.ts';

/** Longest result of a text tool, in UTF-16 code units. */
export const maxOutputCharacters = 20_000_000;

/** Adds up what a result is made of. */
export class OutputSize {
  readonly #advice: string;
  #characters = 0;

  /** `advice`: a sentence that tells how to get less. */
  constructor(advice: string) {
    this.#advice = advice;
  }

  /** Throws OUTPUT_TOO_LARGE as soon as the sum is over the limit. */
  add(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= maxOutputCharacters) return;
    throw new ToolkitError('OUTPUT_TOO_LARGE', `The result is longer than ${maxOutputCharacters} characters. ${this.#advice}`, {
      maxCharacters: maxOutputCharacters,
    });
  }
}
