import { documentTooLarge, maxDocumentCharacters, maxDocumentDepth, nestedTooDeeply } from './check-document.ts';

export interface Layout {
  /** Spaces for each level. */
  readonly indent: number;
  readonly sort_keys: boolean;
  /** True writes everything on one line, without spaces. */
  readonly minify: boolean;
}

interface Member {
  /** Name of the member, as written. Empty in a list. */
  readonly name: string;
  readonly text: string;
}

interface Frame {
  readonly members: Member[];
  /** Name of the next value, as written. */
  name: string;
  written: string;
}

/** Writes JSON from its parts, given in order. Numbers and texts stay as written. */
export class JsonPrinter {
  readonly #layout: Layout;
  readonly #frames: Frame[] = [{ members: [], name: '', written: '' }];
  #characters = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** The whole text. Read it after the last part. */
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
    // The parts are counted already.
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

  /** Counts while writing: indentation can make deep data a thousand times as long. */
  #count(characters: number): void {
    const { minify, indent } = this.#layout;
    this.#characters += characters + (minify ? 0 : indent * this.#frames.length);
    if (this.#characters > maxDocumentCharacters) throw documentTooLarge('Set minify, a smaller indent, or give a part of it.');
  }
}
