import { isUtf8 } from 'node:buffer';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { byteOrderMarkLength } from '../text/byte-order-mark.ts';
import { type ErrorObject, errorCodes, type RequestId } from './message.ts';

const lineFeed = 0x0a;

/** First byte of a byte order mark in UTF-8. */
const markStart = 0xef;

/** Bytes at each end of a refused line that are searched for its id. Programs write it first or last. */
const searchedBytes = 300;

export interface LineGateOptions {
  /** Maximum bytes of an accepted line. */
  readonly maxBytes: number;
  /** Names what a line has too much of to be parsed; undefined when it may be parsed. @default accepts every line */
  readonly excessOf?: (line: Buffer) => string | undefined;
  /** Called for each dropped line. */
  readonly refuse: (refused: RefusedLine) => void;
}

/** A dropped line, meant as a message of JSON-RPC 2.0. */
export interface RefusedLine {
  /** Predicate for a sentence about the line, such as `has 20 bytes; at most 10 are taken`. */
  readonly problem: string;
  /** False when the bytes are not UTF-8. Absent when they are. */
  readonly isUtf8?: false;
  /** Id of the message, when it stands before or after all nested values. */
  readonly id?: string | number;
  /** Method of the message. Absent for a response, and when it was not found. */
  readonly method?: string;
}

/**
 * Passes complete lines, the last one even without a line end. Drops lines that are too long, hold more than may be parsed, or are not
 * UTF-8.
 */
export class LineGate extends Transform {
  readonly #options: LineGateOptions;
  /** Parts of the current, unfinished line. */
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

  /** Adds to the current line. Keeps only both ends of a line that is too long. */
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

/** Maximum lines handled before yielding to the event loop: all their answers may be ready at once. */
export const maxLinesPerTick = 32;

/**
 * Passes each line of the gate to `onLine`, without byte order mark. When `onLine` returns a promise, later lines wait for it. Returns a
 * function that ends this.
 */
export function readLines(input: Readable, gate: LineGate, onLine: (line: string) => Promise<void> | undefined): () => void {
  let taken = 0;
  const goOn = (): void => void gate.resume();
  gate.on('data', (line: Buffer) => {
    if (taken === 0) setImmediate(() => (taken = 0));
    taken++;
    const held = onLine(line.toString('utf8', line[0] === markStart ? byteOrderMarkLength(line) : 0));
    if (held === undefined && taken < maxLinesPerTick) return;
    gate.pause();
    if (held === undefined) setImmediate(goOn);
    else void held.then(goOn, goOn);
  });
  input.pipe(gate);
  return () => void input.unpipe(gate).pause();
}

const member = String.raw`"(?:jsonrpc|id|method)"\s*:\s*(?:"[ !#-\[\]-~]{1,100}"|-?\d{1,15})\s*`;
const firstMembers = new RegExp(String.raw`^(?:\xef\xbb\xbf)?\s*\{((?:\s*${member},)*)`);
const lastMembers = new RegExp(String.raw`((?:,\s*${member})*)\}\s*$`);

/** Returns the id and the error of the response to a line that was not read. `id`: null unless the line was a request. */
export function refusedLineError({ id, method, problem, isUtf8 }: RefusedLine): {
  readonly id: RequestId | null;
  readonly error: ErrorObject;
} {
  const [code, advice] = isUtf8 === false ? [errorCodes.parse, 'Send JSON in UTF-8.'] : [errorCodes.invalidRequest, 'Send less at once.'];
  const error = { code, message: `The message was not read: it ${problem}. ${advice}` };
  return { id: method === undefined || id === undefined ? null : id, error };
}

/** Finds id and method of an unparsed message, when they stand before or after all nested values. */
export function messageHead(line: Buffer): Pick<RefusedLine, 'id' | 'method'> {
  const first = firstMembers.exec(line.toString('latin1', 0, searchedBytes))?.[1] ?? '';
  const last = lastMembers.exec(line.toString('latin1', Math.max(0, line.length - searchedBytes)))?.[1] ?? '';
  // No number: a number of it has at most 15 digits.
  const { id, method } = JSON.parse(`{${first}"":0${last}}`) as { id?: string | number; method?: unknown };
  return { ...(id === undefined ? {} : { id }), ...(typeof method === 'string' ? { method } : {}) };
}
