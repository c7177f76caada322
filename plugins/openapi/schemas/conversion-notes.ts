import { excerpt } from '../../../kernel/index.ts';
import type { Located } from '../document/resolve.ts';

/** Maximum notes of one document. A wrong document may have one for each of its members. */
const maxNotes = 500;

/** Notes on schemas that had to change, for people. Bounded: texts of a document are cut, and a number stands for the notes beyond the limit. */
export class ConversionNotes {
  readonly #notes = new Set<string>();
  #more = 0;

  /** Number of notes so far. A part that was converted without a loss adds none. */
  get count(): number {
    return this.#notes.size + this.#more;
  }

  get all(): readonly string[] {
    const more = this.#more === 0 ? [] : [`${this.#more} more schemas had to change`];
    return [...this.#notes, ...more];
  }

  add({ pointer }: Pick<Located, 'pointer'>, message: string): void {
    if (this.#notes.size >= maxNotes) this.#more++;
    else this.#notes.add(`${excerpt(pointer === '' ? '(document)' : pointer, 200)}: ${message}`);
  }
}
