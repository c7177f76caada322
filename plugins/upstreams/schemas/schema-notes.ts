import { excerpt } from '../../../kernel/index.ts';

/** Maximum notes of one schema. */
const maxNotes = 20;

/** The changes of one schema, as sentences for people. */
export class SchemaNotes {
  readonly #notes = new Set<string>();
  #more = 0;

  /** `pointer`: the part of the schema, `` for the whole. */
  add(pointer: string, text: string): void {
    const note = pointer === '' ? text : `${excerpt(pointer, 80)}: ${text}`;
    if (this.#notes.has(note)) return;
    if (this.#notes.size < maxNotes) this.#notes.add(note);
    else this.#more++;
  }

  get all(): readonly string[] {
    return [...this.#notes, ...(this.#more === 0 ? [] : [`${this.#more} more changes`])];
  }
}
