import type { JsonValue } from '../../../kernel/index.ts';
import { badText, placeAt } from '../json/bad-text.ts';
import { decodeReferences, forbiddenAt } from './xml-characters.ts';
import { elementValue, type XmlElement, type XmlNames } from './xml-element.ts';

/** The DOCTYPE ends in front of a `[`. */
const parts =
  /(?<comment><!--[\s\S]*?-->)|(?<cdata><!\[CDATA\[[\s\S]*?\]\]>)|(?<instruction><\?[\s\S]*?\?>)|(?<doctype><!DOCTYPE(?:"[^"]*"|'[^']*'|[^>"'[])*>?)|(?<other><[!?])|(?<tag><[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>)|(?<text>[^<]+)/g;

const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

type Part = 'comment' | 'cdata' | 'instruction' | 'doctype' | 'other' | 'tag' | 'text';

/**
 * Makes JSON out of a document that fast-xml-parser's validator has passed: its tags fit together, and names and attributes are in order.
 * Throws INVALID_PARAMETERS, with line and column, for everything else that is not well-formed (XML 1.0), and for a document type
 * definition, of which nothing is read.
 */
export class XmlReader {
  readonly #text: string;
  readonly #names: XmlNames;
  /** The elements that are open, inside of the document. */
  readonly #open: XmlElement[] = [newElement('', 0)];

  /** The text with LF as its only line end. */
  constructor(text: string, names: XmlNames) {
    this.#text = text;
    this.#names = names;
  }

  read(): JsonValue {
    const bad = forbiddenAt(this.#text);
    if (bad >= 0) this.#refuse('a character that XML does not allow', bad);
    for (const { 0: written, index, groups = {} } of this.#text.matchAll(parts)) {
      const [kind] = Object.entries(groups).find(([, part]) => part !== undefined) ?? [];
      this.#readers[kind as Part](written, index);
    }
    return elementValue(this.#element, this.#names, () => this.#refuse('no root element', 0));
  }

  readonly #readers: Readonly<Record<Part, (written: string, at: number) => void>> = {
    comment: (written, at) => {
      if (written.slice(4, -3).includes('--') || written.endsWith('--->')) this.#refuse('"--" inside of a comment', at);
    },
    cdata: (written, at) => {
      if (this.#isOutside) this.#refuse('text outside of the root element', at);
      this.#element.text += written.slice(9, -3);
    },
    instruction: (written, at) => {
      if (!/^<\?xml[\s?]/i.test(written)) return;
      if (at > 0) this.#refuse('the XML declaration is allowed at the very beginning only', at);
      if (!/^<\?xml\s+version\s*=/.test(written)) this.#refuse('expected a version in the XML declaration', at);
    },
    doctype: (written, at) => {
      if (!this.#isOutside || this.#element.children.size > 0) this.#refuse('the DOCTYPE must stand before the root element', at);
      if (written.endsWith('>')) return;
      this.#refuse('a document type definition, of which nothing is read. Take out the part in [ ] and write its entities as text', at);
    },
    other: (_, at) => this.#refuse('a comment, CDATA section or instruction without an end, or a declaration out of place', at),
    tag: (written, at) => {
      if (written.startsWith('</')) this.#close();
      else this.#start(written, at);
    },
    text: (written, at) => {
      const outside = this.#isOutside ? written.search(/[^ \t\n]/) : -1;
      if (outside >= 0) this.#refuse('text outside of the root element', at + outside);
      const end = written.indexOf(']]>');
      if (end >= 0) this.#refuse('"]]>" in a text: write ]]&gt;', at + end);
      if (!this.#isOutside) this.#element.text += this.#decoded(written, at);
    },
  };

  get #element(): XmlElement {
    return this.#open.at(-1) as XmlElement;
  }

  get #isOutside(): boolean {
    return this.#open.length === 1;
  }

  #start(tag: string, at: number): void {
    if (this.#isOutside && this.#element.children.size > 0) this.#refuse('a second root element', at);
    const element = newElement(/^<([^\s/>]+)/.exec(tag)?.[1] ?? '', at);
    const first = element.name.length + 1;
    for (const { 0: written, 1: name = '', 2: double, 3: single, index } of tag.slice(first).matchAll(attribute)) {
      const value = double ?? single ?? '';
      const offset = at + first + index + written.length - value.length - 1;
      if (value.includes('<')) this.#refuse('"<" in the value of an attribute: write &lt;', offset + value.indexOf('<'));
      element.attributes.push([name, this.#decoded(value.replace(/[\t\n]/g, ' '), offset)]);
    }
    this.#open.push(element);
    if (tag.endsWith('/>')) this.#close();
  }

  #close(): void {
    const element = this.#open.pop() as XmlElement;
    const value = elementValue(element, this.#names, (name) =>
      this.#refuse(`"${name}" would stand for two things in this element. Choose another attribute_prefix or text_key`, element.at),
    );
    const others = this.#element.children.get(element.name);
    if (others === undefined) this.#element.children.set(element.name, [value]);
    else others.push(value);
  }

  #decoded(text: string, at: number): string {
    return decodeReferences(text, (problem, offset) => this.#refuse(problem, at + offset));
  }

  #refuse(problem: string, at: number): never {
    throw badText('XML', problem, placeAt(this.#text, at));
  }
}

function newElement(name: string, at: number): XmlElement {
  return { name, at, attributes: [], children: new Map(), text: '' };
}
