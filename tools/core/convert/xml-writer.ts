import { excerpt, type JsonValue } from '../../../kernel/index.ts';
import { documentTooLarge, maxDocumentCharacters } from '../json/check-document.ts';
import { badData } from './exact-data.ts';
import { findForbiddenCharacter, isXmlName } from './xml-characters.ts';

interface Content {
  readonly attributes: string;
  readonly text: string;
  readonly children: readonly (readonly [name: string, value: JsonValue, path: string])[];
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Writes elements. In an object `@name` is an attribute and `#text` the text; a list repeats the element. */
export class XmlWriter {
  /** Spaces for each level. 0 writes no line ends either. */
  readonly #indent: number;
  readonly #parts: string[] = [];
  #characters = 0;

  constructor(indent: number) {
    this.#indent = indent;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** Writes an element. `level` is the number of elements around it; undefined where white space would become part of a text. */
  element(name: string, value: JsonValue, path: string, level: number | undefined): void {
    if (!isXmlName(name)) throw badData(path, `has the name "${excerpt(name, 60)}", which is no name in XML. Rename it`);
    const { attributes, text, children } = contentOf(value, path);
    this.#breakLine(level);
    if (children.length === 0) {
      this.#write(text === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${text}</${name}>`);
      return;
    }
    this.#write(`<${name}${attributes}>${text}`);
    const inner = level === undefined || text !== '' ? undefined : level + 1;
    for (const child of children) this.element(...child, inner);
    this.#breakLine(inner === undefined ? undefined : level);
    this.#write(`</${name}>`);
  }

  #breakLine(level: number | undefined): void {
    if (level !== undefined && this.#indent > 0 && this.#parts.length > 0) this.#write(`\n${' '.repeat(this.#indent * level)}`);
  }

  #write(part: string): void {
    this.#characters += part.length;
    if (this.#characters > maxDocumentCharacters) throw documentTooLarge('Set indent to 0, or convert parts of the data.');
    this.#parts.push(part);
  }
}

function contentOf(value: JsonValue, path: string): Content {
  if (Array.isArray(value)) throw badData(path, 'is a list in a list, for which XML has no form. Put the inner list under a name');
  if (typeof value !== 'object' || value === null) return { attributes: '', text: escapeText(value, path, /[&<>\r]/g), children: [] };
  const members = Object.entries(value);
  const attributes = members
    .filter(([name, member]) => name.startsWith('@') && member !== null)
    .map(([name, member]) => attribute(name.slice(1), member, `${path}.${name}`));
  const text = escapeText(members.find(([name]) => name === '#text')?.[1] ?? null, `${path}.#text`, /[&<>\r]/g);
  const children = members
    .filter(([name]) => !name.startsWith('@') && name !== '#text')
    .flatMap(([name, member]) =>
      Array.isArray(member)
        ? member.map((item, index) => [name, item as JsonValue, `${path}.${name}[${index}]`] as const)
        : [[name, member, `${path}.${name}`] as const],
    );
  return { attributes: attributes.join(''), text, children };
}

function attribute(name: string, value: JsonValue, path: string): string {
  if (!isXmlName(name)) throw badData(path, `has the name "${excerpt(name, 60)}", which is no name in XML. Rename it`);
  return ` ${name}="${escapeText(value, path, /[&<>"\t\n\r]/g)}"`;
}

/** Returns a text with references in place of the `special` characters. Throws INVALID_PARAMETERS for characters that XML does not allow. */
function escapeText(value: JsonValue, path: string, special: RegExp): string {
  if (typeof value === 'object' && value !== null)
    throw badData(path, 'is an object or a list: expected a text, a number, true, false or null');
  const text = value === null ? '' : String(value);
  const bad = findForbiddenCharacter(text);
  if (bad >= 0) throw badData(path, `contains a character that XML does not allow, at character ${bad + 1}. Take it out`);
  return text.replace(special, (character) => escapes[character] ?? `&#${character.charCodeAt(0)};`);
}
