/**
 * Messages over a pipe: the length of a JSON text (four bytes), the text, and behind it the long texts that were taken out of it, as bytes. A text
 * that is not escaped, and not searched for escapes, costs a fifth.
 */
import { isPlainObject } from '../../../kernel/index.ts';

/** A message, and what of it may hold long texts: a text, or an object with texts. */
export interface Framed<Head> {
  readonly head: Head;
  readonly body?: unknown;
}

interface Sent<Head> extends Framed<Head> {
  /** The member of the body (null: the body itself) and the length in bytes of each text behind. */
  readonly texts?: readonly (readonly [string | null, number])[];
}

/** UTF-16 code units from which on a text travels by itself. */
const longText = 2048;

/** Gives the parts of a message, to be written one after the other. */
export function frame<Head>({ head, body }: Framed<Head>): readonly Buffer[] {
  const taken: (readonly [string | null, Buffer])[] = [];
  const take = (name: string | null, value: unknown): unknown => {
    // Half of a surrogate pair has no bytes in UTF-8, and an escape in JSON.
    if (typeof value !== 'string' || value.length < longText || !value.isWellFormed()) return value;
    taken.push([name, Buffer.from(value)]);
    return null;
  };
  let rest = body;
  if (isPlainObject(body)) {
    const long = Object.keys(body).filter((name) => typeof body[name] === 'string' && (body[name] as string).length >= longText);
    if (long.length > 0) rest = { ...body, ...Object.fromEntries(long.map((name) => [name, take(name, body[name])])) };
  } else rest = take(null, body);
  const texts = taken.map(([name, bytes]) => [name, bytes.length] as const);
  const json = Buffer.from(JSON.stringify({ head, body: rest, ...(texts.length === 0 ? {} : { texts }) } satisfies Sent<Head>));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return [Buffer.concat([length, json]), ...taken.map(([, bytes]) => bytes)];
}

/** The length of a message in bytes. */
export function frameBytes(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** Puts messages together again out of what comes through a pipe. */
export class FrameReader<Head> {
  readonly #onMessage: (message: Framed<Head>) => void;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #wanted = 4;
  #hasLength = false;
  #waiting: Sent<Head> | undefined;

  /** `maxBytes`: a message that says that it is longer throws a RangeError. */
  constructor(onMessage: (message: Framed<Head>) => void, maxBytes: number) {
    this.#onMessage = onMessage;
    this.#maxBytes = maxBytes;
  }

  /** Throws RangeError for a message that is too long, SyntaxError for one that is none. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#wanted) this.#advance(this.#take(this.#wanted));
  }

  #advance(bytes: Buffer): void {
    if (this.#waiting !== undefined) this.#finish(this.#waiting, bytes);
    else if (!this.#hasLength) {
      this.#hasLength = true;
      this.#want(bytes.readUInt32BE());
    } else {
      const sent = JSON.parse(bytes.toString()) as Sent<Head>;
      this.#hasLength = false;
      if (sent.texts === undefined) this.#finish(sent, bytes);
      else {
        this.#waiting = sent;
        this.#want(sent.texts.reduce((sum, [, length]) => sum + length, 0));
      }
    }
  }

  #finish({ head, body, texts = [] }: Sent<Head>, bytes: Buffer): void {
    this.#waiting = undefined;
    this.#wanted = 4;
    let at = 0;
    let whole = body;
    for (const [name, length] of texts) {
      const text = bytes.toString('utf8', at, at + length);
      at += length;
      if (name === null) whole = text;
      // Not an assignment: the name may be "__proto__".
      else Object.defineProperty(whole, name, { value: text, enumerable: true, writable: true, configurable: true });
    }
    this.#onMessage(whole === undefined ? { head } : { head, body: whole });
  }

  #want(bytes: number): void {
    if (!(bytes <= this.#maxBytes)) throw new RangeError(`a message of ${bytes} bytes, expected at most ${this.#maxBytes}`);
    this.#wanted = bytes;
  }

  #take(bytes: number): Buffer {
    const [first] = this.#chunks;
    const all = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#length);
    const rest = all.subarray(bytes);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    return all.subarray(0, bytes);
  }
}
