import { JsonSizes } from './json-size.ts';
import { textWithin } from './text-within.ts';

/**
 * The remaining budget of a call's output, in characters (UTF-16 units) of compact JSON. A tool that returns pages asks it before each
 * item, and stops by itself. Without a budget everything fits.
 * @example const room = new OutputRoom(context.output.budget, { files: [], truncated: true });
 *   for (const file of all) if (room.take(file) || files.length === 0) files.push(file); else break;
 */
export class OutputRoom {
  readonly #sizes = new JsonSizes();
  #remaining: number;

  /** `frame`: the rest of the output, with empty lists and texts, and numbers at their longest. */
  constructor(budget: number | undefined, frame: unknown = '') {
    this.#remaining = budget === undefined ? Number.POSITIVE_INFINITY : budget - this.#sizes.measure(frame, budget);
  }

  /** Remaining characters. Negative when the frame alone does not fit. */
  get remaining(): number {
    return this.#remaining;
  }

  /**
   * Reserves room for a list item and its comma. Returns false and reserves nothing when it does not fit. Add the first item of a list
   * anyway, so that each call makes progress: the output budget stores the excess for the caller.
   */
  take(item: unknown): boolean {
    if (this.#remaining === Number.POSITIVE_INFINITY) return true;
    const size = this.#sizes.measure(item, Math.max(0, this.#remaining)) + 1;
    if (size > this.#remaining) return false;
    this.#remaining -= size;
    return true;
  }

  /** Reserves room for a text or as much of its beginning as fits, and returns that. The frame already counts its quotes. */
  takeText(text: string): string {
    if (this.#remaining === Number.POSITIVE_INFINITY) return text;
    const fitting = textWithin(text, this.#remaining);
    this.#remaining -= JSON.stringify(fitting).length - 2;
    return fitting;
  }
}
