import { parseUrl } from '../../../../kernel/index.ts';
import { elementsIn, localName, type XmlNode } from '../xml-nodes.ts';

/** Prefixes by namespace. RSS and Atom have none, because they are the feed itself. */
const vocabularies: readonly (readonly [namespace: RegExp, word: string])[] = [
  [/^https?:\/\/(www\.)?w3\.org\/2005\/atom\/?$|^https?:\/\/purl\.org\/atom\/ns/i, ''],
  [/^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content/i, 'content'],
  [/^https?:\/\/purl\.org\/(dc\/terms|rss\/1\.0\/modules\/dcterms)/i, 'dcterms'],
  [/^https?:\/\/purl\.org\/(dc\/elements|rss\/1\.0\/modules\/dc\/)/i, 'dc'],
  [
    /^https?:\/\/purl\.org\/(rss\/1\.0\/?$|net\/rss)|^https?:\/\/(my|channel)\.netscape\.com\/rdf|^https?:\/\/(backend\.userland\.com|blogs\.law\.harvard\.edu)\//i,
    '',
  ],
  [/^https?:\/\/www\.itunes\.com\/dtds\/podcast/i, 'itunes'],
  [/^https?:\/\/www\.w3\.org\/1999\/xhtml/i, 'xhtml'],
  [/^https?:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns/i, 'rdf'],
];

/** Prefixes that are understood without a declaration. */
const usualPrefixes: Readonly<Record<string, string>> = {
  atom: '',
  content: 'content',
  dc: 'dc',
  dcterms: 'dcterms',
  itunes: 'itunes',
  rdf: 'rdf',
  rss: '',
  xhtml: 'xhtml',
};

/** Facts that an element inherits from its parents. */
interface InheritedFacts {
  readonly namespaces: Namespaces | undefined;
  /** Base address for relative ones; undefined when unknown. */
  readonly base: string | undefined;
}

/** Namespace of each prefix that an element declares; the default namespace under the empty text. */
interface Namespaces {
  readonly declared: ReadonlyMap<string, string>;
  readonly parent: Namespaces | undefined;
}

/** Element of a feed, with normalized names, whatever prefixes, capitals and namespaces the document uses. */
export class FeedElement {
  /** Normalized name, such as `title` or `dc:title`; `?:title` in an unknown vocabulary. */
  readonly name: string;
  readonly base: string | undefined;
  readonly node: XmlNode;
  /** Namespace of the name; empty without one. */
  readonly namespace: string;
  readonly #namespaces: Namespaces | undefined;
  #children: readonly FeedElement[] | undefined;

  constructor(node: XmlNode, surroundings: InheritedFacts) {
    const { name, attributes } = node;
    this.node = node;
    this.#namespaces = declaredIn(attributes, surroundings.namespaces);
    const prefix = name.includes(':') ? name.slice(0, name.indexOf(':')) : '';
    this.namespace = namespaceOf(prefix, this.#namespaces);
    const vocabulary = vocabularyOf(prefix, this.namespace);
    this.name = vocabulary === '' ? localName(name) : `${vocabulary}:${localName(name)}`;
    this.base = baseOf(attributes['xml:base'] ?? (this.name === 'channel' ? this.attribute('base') : undefined), surroundings.base);
  }

  /** Namespaces that are declared on this element. */
  get namespaces(): readonly string[] {
    return [...(this.#namespaces?.declared.values() ?? [])];
  }

  get children(): readonly FeedElement[] {
    const surroundings = { namespaces: this.#namespaces, base: this.base };
    this.#children ??= elementsIn(this.node).map((node) => new FeedElement(node, surroundings));
    return this.#children;
  }

  all(name: string): readonly FeedElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** Returns the first child with the first of these names that exists. */
  first(...names: readonly string[]): FeedElement | undefined {
    for (const name of names) {
      const [found] = this.all(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns an attribute by its name in lower case, without a prefix; undefined for an empty value. */
  attribute(name: string): string | undefined {
    const found = Object.entries(this.node.attributes).find(([key]) => key.toLowerCase() === name);
    const value = found?.[1].trim();
    return value === '' ? undefined : value;
  }
}

function declaredIn(attributes: Readonly<Record<string, string>>, parent: Namespaces | undefined): Namespaces | undefined {
  const declared = Object.entries(attributes).filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (declared.length === 0) return parent;
  return { declared: new Map(declared.map(([name, value]) => [name.slice(6), value.trim()])), parent };
}

function namespaceOf(prefix: string, namespaces: Namespaces | undefined): string {
  for (let scope = namespaces; scope !== undefined; scope = scope.parent) {
    const found = scope.declared.get(prefix);
    if (found !== undefined) return found;
  }
  return '';
}

function vocabularyOf(prefix: string, namespace: string): string {
  const known = vocabularies.find(([form]) => form.test(namespace));
  if (known !== undefined) return known[1];
  if (prefix === '') return '';
  return (namespace === '' ? usualPrefixes[prefix.toLowerCase()] : undefined) ?? '?';
}

function baseOf(written: string | undefined, around: string | undefined): string | undefined {
  return written === undefined ? around : (parseUrl(written.trim(), around)?.href ?? around);
}
