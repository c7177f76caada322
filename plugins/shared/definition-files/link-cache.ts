import { type LinkResult, LongWork } from '../../../kernel/index.ts';

/** Kind of a file. Tools and providers have a link result, skills their front matter. `other`: no definition. */
export type FileKind = 'tool' | 'provider' | 'skill' | 'other';

interface Entry {
  readonly kind: FileKind;
  /** Cache key beside the text, such as the hash of linked code. */
  readonly key: string;
  readonly head: unknown;
  /** Linked body as JSON, in UTF-8. */
  readonly body: () => Buffer;
  /** Linked body as a value. */
  readonly value: () => unknown;
  /** Derived data beside the body, as JSON and as a value. */
  readonly derivedText: () => Buffer;
  readonly derived: () => unknown;
}

/** One line of the index. Offsets count from the end of the index; derived data follows the body. */
type Line = readonly [text: string, kind: FileKind, key: string, head: unknown, start: number, end: number, endOfDerived: number];

const lengthBytes = 4;
const nothing = Buffer.alloc(0);
const noLinkResult: LinkResult = { head: null, body: () => undefined };

/**
 * Cached link results of the definition files of one folder, by the hash of their text. The index is read at the start. The JSON text of
 * each tool is parsed when the tool is first used.
 */
export class LinkCache {
  readonly #fallback: LinkCache | undefined;
  #entries: ReadonlyMap<string, Entry>;
  #used = new Map<string, Entry>();
  #isChanged = false;

  /** `content`: bytes from `serialize()`. `fallback`: read-only cache for entries that this one lacks. */
  constructor(content: Buffer | undefined = undefined, fallback: LinkCache | undefined = undefined) {
    this.#entries = content === undefined ? new Map() : entriesIn(content);
    this.#fallback = fallback;
  }

  /** True when an entry was added. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** Begins a new scan: entries that are not read or stored until the next scan are dropped then. */
  beginScan(): void {
    if (this.#used.size > 0) this.#entries = this.#used;
    this.#used = new Map();
    this.#isChanged = false;
  }

  /** Returns the kind of the file with this text hash; undefined when it is not cached. */
  kindOf(textHash: string): FileKind | undefined {
    return this.#entryOf(textHash)?.kind ?? this.#fallback?.kindOf(textHash);
  }

  read(textHash: string, key = ''): LinkResult | undefined {
    const entry = this.#entryOf(textHash);
    if (entry?.key !== key) return this.#fallback?.read(textHash, key);
    this.#used.set(textHash, entry);
    return { head: entry.head, body: entry.value, derived: entry.derived };
  }

  store(textHash: string, kind: FileKind, { head, body, derived = () => ({}) }: LinkResult = noLinkResult, key = ''): void {
    this.#isChanged = true;
    const hasBody = kind === 'tool' || kind === 'provider';
    const written = (): Buffer => (hasBody ? Buffer.from(JSON.stringify(body())) : nothing);
    const derivedText = (): Buffer => (kind === 'tool' ? Buffer.from(JSON.stringify(derived())) : nothing);
    this.#used.set(textHash, { kind, key, head, body: written, value: body, derivedText, derived });
  }

  /** Serializes all entries that were read or stored, in consecutive parts. Yields to the event loop between parts. */
  async serialize(): Promise<readonly Buffer[]> {
    const work = new LongWork();
    const [index, content]: [Buffer[], Buffer[]] = [[], []];
    let [lines, bodies]: [string[], Buffer[]] = [[], []];
    let end = 0;
    const finishPart = (): void => {
      if (lines.length > 0) index.push(Buffer.from(`${index.length === 0 ? '' : ',\n'}${lines.join(',\n')}`));
      content.push(Buffer.concat(bodies));
      [lines, bodies] = [[], []];
    };
    for (const [text, { kind, key, head, body, derivedText }] of this.#used) {
      if (work.isDue) {
        finishPart();
        await work.yieldToEventLoop();
      }
      const [written, derived] = [body(), derivedText()];
      const line: Line = [text, kind, key, head, end, end + written.length, end + written.length + derived.length];
      lines.push(JSON.stringify(line));
      bodies.push(written, derived);
      end = line[6];
    }
    finishPart();
    const length = Buffer.alloc(lengthBytes);
    const parts = [Buffer.from('['), ...index, Buffer.from(']')];
    length.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0));
    return [length, ...parts, ...content];
  }

  #entryOf(textHash: string): Entry | undefined {
    return this.#used.get(textHash) ?? this.#entries.get(textHash);
  }
}

function entriesIn(content: Buffer): ReadonlyMap<string, Entry> {
  const begin = lengthBytes + content.readUInt32LE(0);
  // Own text: written by an earlier start.
  const lines = JSON.parse(content.toString('utf8', lengthBytes, begin)) as readonly Line[];
  return new Map(
    lines.map(([text, kind, key, head, start, end, endOfDerived]) => {
      const body = (): Buffer => content.subarray(begin + start, begin + end);
      const derivedText = (): Buffer => content.subarray(begin + end, begin + endOfDerived);
      return [text, { kind, key, head, body, value: () => parsed(body()), derivedText, derived: () => parsed(derivedText()) }];
    }),
  );
}

function parsed(text: Buffer): unknown {
  // Own text: written by an earlier start.
  return JSON.parse(text.toString('utf8'));
}
