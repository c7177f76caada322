import type { Writable } from 'node:stream';

/** Collects all lines of one iteration of the event loop and writes them at once: each write is a system call that wakes the reader. */
export class LineWriter {
  readonly #output: Writable;
  #lines: string[] = [];
  #characters = 0;

  constructor(output: Writable) {
    this.#output = output;
  }

  /** Writes a line. `line`: without its line end. */
  write(line: string): void {
    if (this.#lines.length === 0) process.nextTick(() => this.#flush());
    this.#lines.push(line);
    this.#characters += line.length;
  }

  /** Size of the unread output: bytes, and characters for the lines that are still collected. */
  get unread(): number {
    return this.#output.writableLength + this.#characters;
  }

  /** Resolves when the reader has read everything, or has gone. */
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
