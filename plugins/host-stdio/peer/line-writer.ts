import type { Writable } from 'node:stream';

/** Writes all lines of one turn of the event loop at once, because each write is a system call that wakes the reader. */
export class LineWriter {
  readonly #output: Writable;
  #lines: string[] = [];
  #characters = 0;

  constructor(output: Writable) {
    this.#output = output;
  }

  /** The line as it is to be read, without its end. */
  write(line: string): void {
    if (this.#lines.length === 0) process.nextTick(() => this.#flush());
    this.#lines.push(line);
    this.#characters += line.length;
  }

  /** What nobody has read yet, in bytes or, for this turn, characters. */
  get unread(): number {
    return this.#output.writableLength + this.#characters;
  }

  /** Resolves when all is read, or nobody will read it any more. */
  async empty(): Promise<void> {
    this.#flush();
    if (this.#output.writableLength === 0 || !this.#output.writable) return;
    await new Promise<void>((resolve) => {
      this.#output.once('close', resolve).once('error', () => resolve());
      this.#output.write('', () => resolve());
    });
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#characters = 0;
    if (this.#output.writable) this.#output.write(text);
  }
}
