import type { Terminal } from '../../../../kernel/index.ts';
import { shortened } from '../../../shared/text/visible-text.ts';
import { paint, type Style } from '../../terminal/paint.ts';
import { type TextWidth, textWidth } from '../../terminal/width.ts';

/** Characters of a line where there is no terminal to say how many there is room for. */
const maxLength = 400;

/** A piece of a line; texts of others are visible text already. */
export type Piece = string | readonly [Style, string];

/** Lines on standard error, because standard output may belong to the protocol. Each begins with the time of day. */
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

  /** Lines as they are. */
  plain(text: string): void {
    this.#note(text);
  }

  /** One line, complete: it may be wider than the terminal. */
  tell(style: Style | undefined, text: string): void {
    this.#note(`${this.#paint(['quiet', time()])}  ${this.#paint(style === undefined ? text : [style, text])}\n`);
  }

  /** One line of pieces; what does not fit is cut at its end. */
  cut(pieces: readonly Piece[]): void {
    const { error } = this.#terminal as { readonly error: { readonly isTTY?: boolean; readonly columns?: number } };
    let room = error.isTTY === true ? error.columns || 80 : undefined;
    const shown: string[] = [];
    for (const piece of [['quiet', time()] as const, ...pieces]) {
      const [style, text] = typeof piece === 'string' ? [undefined, piece] : piece;
      const fitting = room === undefined ? shortened(text, maxLength) : this.#fit(text, room);
      if (fitting === '') break;
      shown.push(this.#paint(style === undefined ? fitting : [style, fitting]));
      // Wide characters are never wider than this says.
      if (room !== undefined) room -= this.#width.of(fitting) + 2;
    }
    this.#note(`${shown.join('  ')}\n`);
  }

  #fit(text: string, room: number): string {
    return room <= 0 ? '' : this.#width.cut(text, room);
  }

  #paint(piece: Piece): string {
    if (typeof piece === 'string') return piece;
    const { error, hasColors, isTerminal } = this.#terminal;
    const isAsked = (error as { readonly isTTY?: boolean }).isTTY === true || !isTerminal;
    return paint({ ...this.#terminal, hasColors: hasColors && isAsked }, ...piece);
  }
}

/** Of this place, as the person's clock shows it. */
function time(): string {
  return new Date().toTimeString().slice(0, 8);
}
