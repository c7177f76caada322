/**
 * Messages over a pipe: the length of a JSON text (four bytes), the text, and then the long texts that were taken out of it,
 * as bytes. Long texts are neither escaped nor searched for escapes.
 */
import { isPlainObject } from '../../../kernel/index.ts';
import { memoryMarker, readFromMemory } from './long-messages.ts';

/** A message. `body` may hold long texts: a text, or an object with texts. */
export interface Framed<Head> {
  readonly head: Head;
  readonly body?: unknown;
}

/** ASCII, or UTF-16 for a text with other characters: both are copied, not converted. */
type TextEncoding = 'latin1' | 'utf16le';

interface WireMessage<Head> extends Framed<Head> {
  /** The long texts that follow the JSON. */
  readonly texts?: readonly LongText[];
}

/** Length from which a text is sent separately, in UTF-16 code units. */
const minLongTextLength = 2048;

/** Returns the parts of a message, to be written in this order. Throws where its JSON is longer than a text can be. */
export function frame<Head>({ head, body }: Framed<Head>): readonly Buffer[] {
  const longTexts = new LongTexts();
  const rest = longTexts.extractFrom(body, [], 0);
  const { texts, bytes } = longTexts;
  const json = Buffer.from(JSON.stringify({ head, body: rest, ...(texts.length === 0 ? {} : { texts }) } satisfies WireMessage<Head>));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return [length, json, ...bytes];
}

/** Limits of the search for long texts: values that are visited, and their depth. A larger body mostly has short texts. */
const maxVisited = 100;
const maxDepth = 4;

/** The long texts that were taken out of a body. */
class LongTexts {
  readonly texts: LongText[] = [];
  readonly bytes: Buffer[] = [];
  #visited = 0;

  /** Returns the value with null in place of each long text, or the value itself where it has none. */
  extractFrom(value: unknown, path: readonly (string | number)[], depth: number): unknown {
    if (++this.#visited > maxVisited) return value;
    if (typeof value === 'string') return value.length < minLongTextLength ? value : this.#extract(value, path);
    if (depth === maxDepth || !(Array.isArray(value) || isPlainObject(value))) return value;
    let copy: Record<string | number, unknown> | undefined;
    for (const [key, member] of Object.entries(value)) {
      if (this.#visited >= maxVisited) break;
      const rest = this.extractFrom(member, [...path, key], depth + 1);
      if (rest === member) continue;
      // Spread keeps the order of the members, and a member named "__proto__".
      copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>;
      setMember(copy, key, rest);
    }
    return copy ?? value;
  }

  #extract(text: string, path: readonly (string | number)[]): null {
    const encoding = Buffer.byteLength(text) === text.length ? 'latin1' : 'utf16le';
    const bytes = Buffer.from(text, encoding);
    this.texts.push([path, bytes.length, encoding]);
    this.bytes.push(bytes);
    return null;
  }
}

/** Sets a member without an assignment, because the name may be "__proto__". */
function setMember(target: object, name: string | number, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

/** A long text: its path, its length in bytes, and its encoding. */
type LongText = readonly [path: readonly (string | number)[], bytes: number, encoding: TextEncoding];

/** Counts the bytes of a message. */
export function frameBytes(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** Assembles messages from the chunks of a pipe. */
export class FrameReader<Head> {
  readonly #onMessage: (message: Framed<Head>) => void;
  readonly #maxBytes: number;
  readonly #memory: number | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #expectedBytes = 4;
  #state: 'length' | 'memory' | 'json' = 'length';
  #incomplete: WireMessage<Head> | undefined;

  /** `maxBytes`: a message that announces more throws a RangeError. `memory`: the memory of long messages (`openMessageMemory`). */
  constructor(onMessage: (message: Framed<Head>) => void, maxBytes: number, memory?: number) {
    this.#memory = memory;
    this.#onMessage = onMessage;
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes and keeps the buffer. Throws RangeError for a message that is too long, SyntaxError for invalid JSON. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#expectedBytes) this.#advance(this.#takeBytes(this.#expectedBytes));
  }

  #advance(bytes: Buffer): void {
    if (this.#incomplete !== undefined) this.#finish(this.#incomplete, bytes);
    else if (this.#state === 'memory') this.#readFromMemory(bytes.readUInt32BE());
    else if (this.#state === 'length') {
      const length = bytes.readUInt32BE();
      const isInMemory = length === memoryMarker && this.#memory !== undefined;
      this.#state = isInMemory ? 'memory' : 'json';
      if (!isInMemory) this.#expect(length);
    } else {
      // Own text: written by the process at the other end, in which integers are texts already.
      const message = JSON.parse(bytes.toString()) as WireMessage<Head>;
      this.#state = 'length';
      if (message.texts === undefined) this.#finish(message, bytes);
      else {
        this.#incomplete = message;
        this.#expect(message.texts.reduce((sum, [, length]) => sum + length, 0));
      }
    }
  }

  #finish({ head, body, texts = [] }: WireMessage<Head>, bytes: Buffer): void {
    this.#incomplete = undefined;
    this.#expectedBytes = 4;
    let offset = 0;
    const holder = { body };
    for (const [path, length, encoding] of texts) {
      const text = bytes.toString(encoding === 'latin1' ? encoding : 'utf16le', offset, offset + length);
      offset += length;
      setTextAt(holder, ['body', ...path], text);
    }
    const restored = holder.body;
    this.#onMessage(restored === undefined ? { head } : { head, body: restored });
  }

  #readFromMemory(bytes: number): void {
    const message = readFromMemory(this.#memory ?? 0, bytes);
    this.#state = 'length';
    this.#chunks.unshift(message);
    this.#length += message.length;
  }

  #expect(bytes: number): void {
    if (!(bytes <= this.#maxBytes)) throw new RangeError(`a message of ${bytes} bytes, expected at most ${this.#maxBytes}`);
    this.#expectedBytes = bytes;
  }

  #takeBytes(bytes: number): Buffer {
    const [first] = this.#chunks;
    const all = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#length);
    const rest = all.subarray(bytes);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    return all.subarray(0, bytes);
  }
}

/** Sets the text at a path. Throws TypeError for a path that does not exist, which no message of ours has. */
function setTextAt(root: object, path: readonly (string | number)[], text: string): void {
  const parent = path.slice(0, -1).reduce<object>((value, key) => {
    if (!Object.hasOwn(value, key)) throw new TypeError(`a text for a place that is not there`);
    return (value as Record<string | number, object>)[key] ?? {};
  }, root);
  setMember(parent, path.at(-1) ?? 'body', text);
}
