import { documentTooLarge, maxDocumentCharacters, maxDocumentDepth, nestedTooDeeply } from './check-document.ts';

export interface Layout {
  /** Spaces for each level. */
  readonly indent: number;
  readonly sort_keys: boolean;
  /** Everything on one line, without spaces. */
  readonly minify: boolean;
}

interface Member {
  /** Empty in a list. */
  readonly name: string;
  readonly text: string;
}

interface Frame {
  readonly members: Member[];
  /** The name in front of the value that comes next, and how it is written. */
  name: string;
  written: string;
}

/** Writes JSON out of its parts, which come in order; numbers and texts exactly as they are given. */
export class JsonPrinter {
  readonly #layout: Layout;
  readonly #frames: Frame[] = [{ members: [], name: '', written: '' }];
  #characters = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** The whole, once all parts were given. */
  get text(): string {
    return this.#frames[0]?.members[0]?.text ?? '';
  }

  name(name: string, written: string): void {
    Object.assign(this.#frame(), { name, written: `${written}${this.#layout.minify ? ':' : ': '}` });
  }

  value(text: string): void {
    const frame = this.#frame();
    const member = { name: frame.name, text: `${frame.written}${text}` };
    Object.assign(frame, { name: '', written: '' });
    this.#count(member.text.length);
    frame.members.push(member);
  }

  begin(): void {
    if (this.#frames.length > maxDocumentDepth) throw nestedTooDeeply('text', maxDocumentDepth);
    this.#count(2);
    this.#frames.push({ members: [], name: '', written: '' });
  }

  end(open: '{' | '['): void {
    const { members } = this.#frames.pop() as Frame;
    if (this.#layout.sort_keys && open === '{') members.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    // Its parts are counted already.
    this.#characters -= members.reduce((sum, { text }) => sum + text.length, 0);
    this.value(this.#container(open, members));
  }

  #container(open: '{' | '[', members: readonly Member[]): string {
    const close = open === '{' ? '}' : ']';
    if (members.length === 0 || this.#layout.minify) return `${open}${members.map(({ text }) => text).join(',')}${close}`;
    const level = this.#frames.length;
    const inner = `\n${' '.repeat(this.#layout.indent * level)}`;
    const outer = `\n${' '.repeat(this.#layout.indent * (level - 1))}`;
    return `${open}${inner}${members.map(({ text }) => text).join(`,${inner}`)}${outer}${close}`;
  }

  #frame(): Frame {
    return this.#frames.at(-1) as Frame;
  }

  /** Deep data with much in it is a thousand times as long once it is indented. */
  #count(characters: number): void {
    const { minify, indent } = this.#layout;
    this.#characters += characters + (minify ? 0 : indent * this.#frames.length);
    if (this.#characters > maxDocumentCharacters) throw documentTooLarge('Set minify, a smaller indent, or give a part of it.');
  }
}
