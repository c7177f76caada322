import { isUtf8 } from 'node:buffer';
import { Transform, type TransformCallback } from 'node:stream';

const lineFeed = 0x0a;

/** How much of each end of a refused line is searched for its id, in bytes. Programs write it before or behind the rest. */
const searchedBytes = 300;

export interface LineGateOptions {
  /** Longest line that is let through, in bytes. */
  readonly maxBytes: number;
  /** What a line holds too much of to be parsed; undefined where it may be. @default every line may */
  readonly excessOf?: (line: Buffer) => string | undefined;
  /** Told of each line that is dropped. */
  readonly refuse: (refused: RefusedLine) => void;
}

/** A message of JSON-RPC 2.0 that was not let through. */
export interface RefusedLine {
  /** What follows "it", such as `has 20 bytes; at most 10 are taken`. */
  readonly problem: string;
  /** Its bytes are no text. @default they are */
  readonly isUtf8?: false;
  /** Where it stands before all that is nested, or behind it. */
  readonly id?: string | number;
  /** Without one it is an answer, or none of both. */
  readonly method?: string;
}

/**
 * Lets lines through, whole ones at once, the last one also without an end. One that is too long, that holds more than may be parsed, or that is no
 * UTF-8, is dropped; those behind it go through.
 */
export class LineGate extends Transform {
  readonly #options: LineGateOptions;
  /** The line that has not ended yet. */
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(options: LineGateOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      this.#take(chunk.subarray(start, end + 1));
      this.#endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#bytes > 0) this.#endLine();
    done();
  }

  /** Of a line that is too long only the two ends are kept. */
  #take(part: Buffer): void {
    this.#bytes += part.length;
    this.#chunks.push(part);
    if (this.#bytes <= this.#options.maxBytes) return;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [
      Buffer.concat([whole.subarray(0, searchedBytes), whole.subarray(Math.max(searchedBytes, whole.length - searchedBytes))]),
    ];
  }

  #endLine(): void {
    const line = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const problem = this.#refusalOf(line);
    this.#chunks = [];
    this.#bytes = 0;
    if (problem === undefined) this.push(line);
    else this.#options.refuse(problem);
  }

  #refusalOf(line: Buffer): RefusedLine | undefined {
    const { maxBytes, excessOf } = this.#options;
    const refused = (problem: string): RefusedLine => ({ problem, ...messageHead(line) });
    if (this.#bytes > maxBytes) return refused(`has ${this.#bytes} bytes; at most ${maxBytes} are taken`);
    const excess = excessOf?.(line);
    if (excess !== undefined) return refused(`holds ${excess}`);
    return isUtf8(line) ? undefined : { ...refused('holds bytes that are no UTF-8'), isUtf8: false };
  }
}

const member = String.raw`"(?:jsonrpc|id|method)"\s*:\s*(?:"[ !#-\[\]-~]{1,100}"|-?\d{1,15})\s*`;
const firstMembers = new RegExp(String.raw`^(?:\xef\xbb\xbf)?\s*\{((?:\s*${member},)*)`);
const lastMembers = new RegExp(String.raw`((?:,\s*${member})*)\}\s*$`);

/** Finds id and method of a message that was not parsed, where they stand before all that is nested, or behind it. */
export function messageHead(line: Buffer): Pick<RefusedLine, 'id' | 'method'> {
  const first = firstMembers.exec(line.toString('latin1', 0, searchedBytes))?.[1] ?? '';
  const last = lastMembers.exec(line.toString('latin1', Math.max(0, line.length - searchedBytes)))?.[1] ?? '';
  // No number: a number of it has at most 15 digits.
  const { id, method } = JSON.parse(`{${first}"":0${last}}`) as { id?: string | number; method?: unknown };
  return { ...(id === undefined ? {} : { id }), ...(typeof method === 'string' ? { method } : {}) };
}
