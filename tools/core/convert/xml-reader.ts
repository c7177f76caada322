import type { JsonValue } from '../../../kernel/index.ts';
import type { XmlParts } from './read-xml.ts';
import { elementValue, type XmlElement, type XmlNames } from './xml-element.ts';
import type { XmlProblem } from './xml-problem.ts';

/** Builds JSON from the parts of a document. Calls `refuse` for parts that JSON cannot hold. */
export class XmlReader implements XmlParts {
  readonly #names: XmlNames;
  readonly #refuse: (found: XmlProblem) => never;
  /** Stack of open elements. The first stands for the document. */
  readonly #open: XmlElement[] = [newElement('', 0)];

  constructor(names: XmlNames, refuse: (found: XmlProblem) => never) {
    this.#names = names;
    this.#refuse = refuse;
  }

  /** The root element under its name. Read it after the last part. */
  get data(): JsonValue {
    return this.#valueOf(this.#element);
  }

  open(name: string, at: number): void {
    this.#open.push(newElement(name, at));
  }

  attribute(name: string, value: string): void {
    this.#element.attributes.push([name, value]);
  }

  text(text: string): void {
    if (this.#open.length > 1) this.#element.text += text;
  }

  close(): void {
    const element = this.#open.pop() as XmlElement;
    const value = this.#valueOf(element);
    const others = this.#element.children.get(element.name);
    if (others === undefined) this.#element.children.set(element.name, [value]);
    else others.push(value);
  }

  get #element(): XmlElement {
    return this.#open.at(-1) as XmlElement;
  }

  #valueOf(element: XmlElement): JsonValue {
    return elementValue(element, this.#names, (name) =>
      this.#refuse({
        problem: `"${name}" would stand for two things in this element. Choose another attribute_prefix or text_key`,
        at: element.at,
      }),
    );
  }
}

function newElement(name: string, at: number): XmlElement {
  return { name, at, attributes: [], children: new Map(), text: '' };
}
