import { JsonSizes } from './json-size.ts';
import { textWithin } from './text-within.ts';

/**
 * The room that is left for the output of a call, in characters (UTF-16 units) of compact JSON: a tool that can go on elsewhere asks it before each
 * item and stops by itself. Without a budget everything fits.
 * @example const room = new OutputRoom(context.output.budget, { files: [], truncated: true });
 *   for (const file of all) if (room.take(file) || files.length === 0) files.push(file); else break;
 */
export class OutputRoom {
  readonly #sizes = new JsonSizes();
  #left: number;

  /** `around`: everything else of the output, with lists and texts empty and numbers as long as they get. */
  constructor(budget: number | undefined, around: unknown = '') {
    this.#left = budget === undefined ? Number.POSITIVE_INFINITY : budget - this.#sizes.of(around, budget);
  }

  /** Characters that are left. Below 0 where what is around did not fit. */
  get left(): number {
    return this.#left;
  }

  /**
   * Takes the room of an item of a list, with its comma. False, and nothing is taken, where it does not fit. Give the first item of a list all the same, so
   * that each call gets further: what of it has no room is kept for the caller.
   */
  take(item: unknown): boolean {
    if (this.#left === Number.POSITIVE_INFINITY) return true;
    const size = this.#sizes.of(item, Math.max(0, this.#left)) + 1;
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }

  /** Takes the room of a text, or of as much of its beginning as fits, and returns that. Its quotes are already around. */
  takeText(text: string): string {
    if (this.#left === Number.POSITIVE_INFINITY) return text;
    const fitting = textWithin(text, this.#left);
    this.#left -= JSON.stringify(fitting).length - 2;
    return fitting;
  }
}
