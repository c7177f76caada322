import type { Terminal } from '../../../../kernel/index.ts';
import { paint, type Style } from '../../../shared/terminal/paint.ts';
import { type TextWidth, textWidth } from '../../../shared/terminal/width.ts';
import { shortened } from '../../../shared/text/visible-text.ts';

/** Maximum length of a line in characters when standard error is no terminal. */
const maxLength = 400;

/** Part of a line. Foreign texts must already be visible text. */
export type Piece = string | readonly [Style, string];

/** Prints lines on standard error, because standard output may belong to the protocol. Each begins with the time of day. */
export class Journal {
  readonly #terminal: Terminal;
  readonly #note: (text: string) => void;
  readonly #width: TextWidth;

  private constructor(terminal: Terminal, note: (text: string) => void, width: TextWidth) {
    this.#terminal = terminal;
    this.#note = note;
    this.#width = width;
  }

  static async open(terminal: Terminal, note: (text: string) => void): Promise<Journal> {
    return new Journal(terminal, note, await textWidth());
  }

  /** Prints the text unchanged. */
  printText(text: string): void {
    this.#note(text);
  }

  /** Prints one whole line, even if it is wider than the terminal. */
  printLine(style: Style | undefined, text: string): void {
    this.#note(`${this.#paint(['quiet', time()])}  ${this.#paint(style === undefined ? text : [style, text])}\n`);
  }

  /** Prints one line of pieces, cut at the width of the terminal. */
  printPieces(pieces: readonly Piece[]): void {
    const { error } = this.#terminal as { readonly error: { readonly isTTY?: boolean; readonly columns?: number } };
    let room = error.isTTY === true ? error.columns || 80 : undefined;
    const shown: string[] = [];
    for (const piece of [['quiet', time()] as const, ...pieces]) {
      const [style, text] = typeof piece === 'string' ? [undefined, piece] : piece;
      const fitting = room === undefined ? shortened(text, maxLength) : this.#fit(text, room);
      if (fitting === '') break;
      shown.push(this.#paint(style === undefined ? fitting : [style, fitting]));
      // The width counts wide characters as at least as wide as they are drawn.
      if (room !== undefined) room -= this.#width.measure(fitting) + 2;
    }
    this.#note(`${shown.join('  ')}\n`);
  }

  #fit(text: string, room: number): string {
    return room <= 0 ? '' : this.#width.cut(text, room);
  }

  #paint(piece: Piece): string {
    if (typeof piece === 'string') return piece;
    const { error, hasColors, isTerminal } = this.#terminal;
    const showsColors = (error as { readonly isTTY?: boolean }).isTTY === true || !isTerminal;
    return paint({ ...this.#terminal, hasColors: hasColors && showsColors }, ...piece);
  }
}

/** Returns the local time of day. */
function time(): string {
  return new Date().toTimeString().slice(0, 8);
}
