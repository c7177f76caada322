import { type KeptForm, LongWork } from '../../../kernel/index.ts';

/** What a file is. A tool and a provider have a form; of a skill the front matter is kept, of any other file that it is no definition. */
export type FileKind = 'tool' | 'provider' | 'skill' | 'other';

interface Entry {
  readonly kind: FileKind;
  /** What the form holds for beside the text. */
  readonly key: string;
  readonly head: unknown;
  /** As JSON, in UTF-8. */
  readonly body: () => Buffer;
  /** The same as a value. */
  readonly value: () => unknown;
  /** Beside the body, as JSON and as a value. */
  readonly derivedText: () => Buffer;
  readonly derived: () => unknown;
}

/** As it is written: the places of the body and of what is derived, which follows it, count from the end of the index. */
type Line = readonly [text: string, kind: FileKind, key: string, head: unknown, start: number, end: number, endOfDerived: number];

const lengthBytes = 4;
const nothing = Buffer.alloc(0);
const noForm: KeptForm = { head: null, body: () => undefined };

/**
 * What is known of the definition files of one folder, by the hash of their text: an index, which a start reads, and below it a JSON text for
 * each tool, which is parsed when somebody looks into the tool.
 */
export class KeptForms {
  readonly #below: KeptForms | undefined;
  #entries: ReadonlyMap<string, Entry>;
  #used = new Map<string, Entry>();
  #isChanged = false;

  /** `content`: as `content()` gave it. `below`: what is looked into for what is not in it, and stays there. */
  constructor(content: Buffer | undefined = undefined, below: KeptForms | undefined = undefined) {
    this.#entries = content === undefined ? new Map() : entriesIn(content);
    this.#below = below;
  }

  /** True when something was kept that was not there before. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** Begins to read the files again: what nobody asks for after this is forgotten with the next time. */
  renew(): void {
    if (this.#used.size > 0) this.#entries = this.#used;
    this.#used = new Map();
    this.#isChanged = false;
  }

  /** What the file with this text is; undefined when that is not known. */
  kindOf(text: string): FileKind | undefined {
    return this.#entryOf(text)?.kind ?? this.#below?.kindOf(text);
  }

  read(text: string, key = ''): KeptForm | undefined {
    const entry = this.#entryOf(text);
    if (entry?.key !== key) return this.#below?.read(text, key);
    this.#used.set(text, entry);
    return { head: entry.head, body: entry.value, derived: entry.derived };
  }

  keep(text: string, kind: FileKind, { head, body, derived = () => ({}) }: KeptForm = noForm, key = ''): void {
    this.#isChanged = true;
    const hasBody = kind === 'tool' || kind === 'provider';
    const written = (): Buffer => (hasBody ? Buffer.from(JSON.stringify(body())) : nothing);
    const derivedText = (): Buffer => (kind === 'tool' ? Buffer.from(JSON.stringify(derived())) : nothing);
    this.#used.set(text, { kind, key, head, body: written, value: body, derivedText, derived });
  }

  /** All that was read and kept, to be read again: in parts that follow each other, each of a moment's work. */
  async content(): Promise<readonly Buffer[]> {
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
        await work.rest();
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

  #entryOf(text: string): Entry | undefined {
    return this.#used.get(text) ?? this.#entries.get(text);
  }
}

function entriesIn(content: Buffer): ReadonlyMap<string, Entry> {
  const begin = lengthBytes + content.readUInt32LE(0);
  // Own text: what a start has kept.
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
  // Own text: what a start has kept.
  return JSON.parse(text.toString('utf8'));
}
