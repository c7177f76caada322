import { ToolkitError } from '../../../kernel/index.ts';

/** XML element from a parser that accepts errors. */
export interface XmlNode {
  /** Name with its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and texts in order. Unknown references stay as written. */
  readonly children: readonly (XmlNode | string)[];
}

/** Maximum depth of elements; the parser's time grows with the square of it. */
const maxLevels = 500;

/**
 * Parses XML as most readers of feeds and sitemaps do: accepts errors and reads no document type definition. Returns the root,
 * or undefined when there is no element. Throws EXECUTION_FAILED for elements that are nested too deeply.
 */
export async function openXml(text: string): Promise<XmlNode | undefined> {
  const { Parser } = await import('htmlparser2');
  const document = { children: [] as (XmlNode | string)[] };
  const open: { readonly children: (XmlNode | string)[] }[] = [document];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length > maxLevels) throw nestedTooDeeply();
        const node = { name, attributes, children: [] };
        open.at(-1)?.children.push(node);
        open.push(node);
      },
      ontext(data) {
        open.at(-1)?.children.push(data);
      },
      onclosetag() {
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  return elementsIn(document)[0];
}

function nestedTooDeeply(): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `The XML is nested too deeply to be read: expected at most ${maxLevels} levels of elements.`);
}

/** Returns the child elements of a node. */
export function elementsIn({ children }: Pick<XmlNode, 'children'>): readonly XmlNode[] {
  return children.filter((child): child is XmlNode => typeof child !== 'string');
}

/** Returns all text inside a node, without markup. */
export function textIn({ children }: XmlNode): string {
  return children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
}

/** Returns the content of a node as XML. */
export function markupIn({ children }: XmlNode): string {
  const parts = children.map((child) => {
    if (typeof child === 'string') return escaped(child);
    const attributes = Object.entries(child.attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
    return `<${child.name}${attributes.join('')}>${markupIn(child)}</${child.name}>`;
  });
  return parts.join('');
}

/** Returns a name without its prefix, in lower case. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
