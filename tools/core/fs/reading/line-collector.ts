export interface KeptLine {
  /** Line without its end, or the beginning of a long line, cut at a whole UTF-8 character. */
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

const maxLines = 5000;
const maxBytes = 1_048_576;

const lineFeed = 10;
const carriageReturn = 13;

/** Range of lines to collect. Lines and columns count from 1, columns in UTF-16 units. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
  /** Column at which the first line starts. */
  readonly column: number;
  /** Maximum size of a whole line, in bytes; of a longer line the beginning is collected. */
  readonly maxLineBytes: number;
}

/**
 * Counts the lines of a file that arrives in chunks and collects those of a range: at most 5000 lines or 1 MiB. A line ends
 * with LF or CR LF; the last line may have no end.
 */
export class LineCollector {
  readonly #start: number;
  readonly #end: number;
  readonly #maxLineBytes: number;
  /** UTF-16 units of the first line still to skip. */
  #passedUnits: number;
  #passedBytes = 0;
  readonly #lines: KeptLine[] = [];
  #keptBytes = 0;
  #complete = 0;
  /** Collected parts of the current line, when it is in the range. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  /** Bytes of the current line. */
  #lineBytes = 0;

  constructor({ start, end, column, maxLineBytes }: LineRange) {
    this.#start = start;
    this.#end = end;
    this.#passedUnits = column - 1;
    this.#maxLineBytes = maxLineBytes;
  }

  get lines(): readonly KeptLine[] {
    return this.#lines;
  }

  get totalLines(): number {
    return this.#complete;
  }

  /** Adds a chunk. The caller may overwrite the chunk afterwards. */
  take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      this.#add(chunk, from, at);
      this.#endLine();
      from = at + 1;
    }
    this.#add(chunk, from, chunk.length);
  }

  /** Ends the last line; call it after the last chunk. */
  finish(): void {
    if (this.#lineBytes > 0) this.#endLine();
  }

  #isWakeRequested(): boolean {
    const number = this.#complete + 1;
    return number >= this.#start && number <= this.#end && this.#lines.length < maxLines && this.#keptBytes < maxBytes;
  }

  #add(chunk: Buffer, from: number, to: number): void {
    if (to === from) return;
    this.#lineBytes += to - from;
    if (this.#partBytes >= this.#maxLineBytes || !this.#isWakeRequested()) return;
    const first = this.#complete + 1 === this.#start ? this.#pass(chunk, from, to) : from;
    const part = Buffer.from(chunk.subarray(first, Math.min(to, first + this.#maxLineBytes - this.#partBytes)));
    this.#parts.push(part);
    this.#partBytes += part.length;
  }

  /** Skips the units of the first line before its start column; returns the offset in the chunk at which the line continues. */
  #pass(chunk: Buffer, from: number, to: number): number {
    let at = from;
    while (at < to) {
      const byte = chunk[at] ?? 0;
      const isMiddle = (byte & 0b1100_0000) === 0b1000_0000;
      if (!isMiddle && this.#passedUnits <= 0) break;
      // Continuation bytes belong to their character; a character of four bytes is two units.
      if (isMiddle && this.#passedBytes === 0) break;
      if (!isMiddle) this.#passedUnits -= byte >= 0b1111_0000 ? 2 : 1;
      this.#passedBytes += 1;
      at += 1;
    }
    return at;
  }

  #endLine(): void {
    if (this.#isWakeRequested()) {
      const bytes = Buffer.concat(this.#parts);
      const isWhole = bytes.length + this.#passedBytes === this.#lineBytes;
      const kept = isWhole ? withoutCarriageReturn(bytes) : wholeCharacters(bytes);
      if (this.#keptBytes + kept.length <= maxBytes) this.#lines.push({ bytes: kept, isWhole });
      this.#keptBytes += kept.length;
      this.#parts = [];
      this.#partBytes = 0;
      this.#passedBytes = 0;
    }
    this.#complete += 1;
    this.#lineBytes = 0;
  }
}

function withoutCarriageReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
}

/** Removes a character that is cut off at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  // The byte before the continuation bytes is the first byte of the character, and is removed with them.
  return bytes.subarray(0, Math.max(0, end - 1));
}
