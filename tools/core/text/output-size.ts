import { ToolkitError } from '../../../kernel/index.ts';

/** Maximum length of a result of a text tool, in UTF-16 code units. */
export const maxOutputCharacters = 20_000_000;

/** Adds up the length of a result. */
export class OutputSize {
  readonly #advice: string;
  #characters = 0;

  /** `advice` is a sentence that says how to get a smaller result. */
  constructor(advice: string) {
    this.#advice = advice;
  }

  /** Throws OUTPUT_TOO_LARGE as soon as the sum exceeds the limit. */
  add(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= maxOutputCharacters) return;
    throw new ToolkitError('OUTPUT_TOO_LARGE', `The result is longer than ${maxOutputCharacters} characters. ${this.#advice}`, {
      maxCharacters: maxOutputCharacters,
    });
  }
}
