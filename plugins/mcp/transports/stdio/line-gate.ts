import { Transform, type TransformCallback } from 'node:stream';
import { textExcess } from '../../../../kernel/index.ts';
import { errorCodes } from '../../protocol/messages.ts';

/** Longest line that is taken, in bytes: less than the SDK's transport takes, which ends the connection behind its limit. */
const maxLineBytes = 8 * 1024 * 1024;

const lineFeed = 0x0a;

/** How much of each end of a refused message is searched for its id, in bytes. Clients write it before or behind the rest. */
const searchedBytes = 300;

/** An answer to a message that was not read. */
export interface LineRefusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Lets the lines of a client through, whole ones at once. A line that is too long, or that holds more than may be parsed, is dropped, and
 * `refuse` is given the answer to it; those behind it go through.
 */
export class LineGate extends Transform {
  readonly #refuse: (refusal: LineRefusal) => void;
  /** The line that has not ended yet. */
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(refuse: (refusal: LineRefusal) => void) {
    super();
    this.#refuse = refuse;
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

  /** Of a line that is too long only the two ends are kept. */
  #take(part: Buffer): void {
    this.#bytes += part.length;
    this.#chunks.push(part);
    if (this.#bytes <= maxLineBytes) return;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [
      Buffer.concat([whole.subarray(0, searchedBytes), whole.subarray(Math.max(searchedBytes, whole.length - searchedBytes))]),
    ];
  }

  #endLine(): void {
    const line = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const problem = this.#bytes > maxLineBytes ? `has ${this.#bytes} bytes; at most ${maxLineBytes} are taken` : excessOf(line);
    this.#chunks = [];
    this.#bytes = 0;
    if (problem === undefined) this.push(line);
    else this.#refuse(refusalOf(line, problem));
  }
}

function excessOf(line: Buffer): string | undefined {
  const excess = textExcess(line);
  return excess === undefined ? undefined : `holds ${excess}`;
}

function refusalOf(line: Buffer, problem: string): LineRefusal {
  const error = { code: errorCodes.invalidRequest, message: `The message was not read: it ${problem}. Send less at once.` };
  return { jsonrpc: '2.0', id: idOf(line) ?? null, error };
}

const member = String.raw`"(?:jsonrpc|id|method)"\s*:\s*(?:"[ !#-\[\]-~]{1,100}"|-?\d{1,15})\s*`;
const firstMembers = new RegExp(String.raw`^\s*\{((?:\s*${member},)*)`);
const lastMembers = new RegExp(String.raw`((?:,\s*${member})*)\}\s*$`);

/** The id of a request whose id and method stand before all that is nested or behind it; undefined for anything else. */
function idOf(line: Buffer): string | number | undefined {
  const first = firstMembers.exec(line.toString('latin1', 0, searchedBytes))?.[1] ?? '';
  const last = lastMembers.exec(line.toString('latin1', Math.max(0, line.length - searchedBytes)))?.[1] ?? '';
  const { id, method } = JSON.parse(`{${first}"":0${last}}`) as { id?: string | number; method?: unknown };
  return method === undefined ? undefined : id;
}
