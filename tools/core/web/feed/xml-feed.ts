import { parseUrl } from '../../../../kernel/index.ts';
import { isoTime } from '../feed-text.ts';
import { textIn, type XmlNode } from '../xml-nodes.ts';
import { FeedElement } from './feed-element.ts';
import { type Feed, type FeedAbout, type FeedItem, present, shortened } from './feed-result.ts';
import { wordsOf } from './feed-words.ts';

/** Parts of an XML feed. */
interface XmlFeed {
  readonly format: string;
  readonly channel: FeedElement;
  readonly items: readonly FeedElement[];
  readonly isAtom: boolean;
}

/** Parses an RSS, RDF, Atom or CDF feed; undefined for other XML. Extracts the texts of the first `limit` items only. */
export async function readXmlFeed(node: XmlNode | undefined, limit: number, url: string | undefined): Promise<Feed | undefined> {
  const root = node === undefined ? undefined : new FeedElement(node, { namespaces: undefined, base: url });
  const feed = root === undefined ? undefined : partsOf(root);
  if (feed === undefined) return undefined;
  const items: FeedItem[] = [];
  for (const item of feed.items.slice(0, limit)) items.push(await itemOf(item, feed));
  const title = await firstWords(feed.channel, titles, feed.isAtom);
  return { title, about: await aboutOf(feed), items, total: feed.items.length };
}

/** Returns the parts of a feed. The root element decides: a feed with a title only is a feed. */
function partsOf(root: FeedElement): XmlFeed | undefined {
  const version = root.attribute('version');
  switch (root.name) {
    case 'rss':
    case 'rdf:rdf': {
      const channel = root.first('channel') ?? root;
      const items = [...itemsIn(channel), ...(channel === root ? [] : itemsIn(root))];
      const isRdf = root.name === 'rdf:rdf';
      if (isRdf && channel === root && items.length === 0 && !root.namespaces.some((name) => /rss|netscape/i.test(name))) return undefined;
      const old = root.namespaces.some((name) => /netscape/i.test(name));
      return { format: isRdf ? `RSS ${old ? '0.90' : '1.0'}` : named('RSS', version), channel, items, isAtom: false };
    }
    case 'channel': {
      const items = [...itemsIn(root), ...itemsIn(root.first('items'))];
      const isCdf = [root, ...items].some((element) => element.attribute('href') !== undefined) || root.node.name === 'CHANNEL';
      return {
        format: isCdf ? 'CDF' : named('RSS', /net\/rss1\.1/.test(root.namespace) ? '1.1' : undefined),
        channel: root,
        items,
        isAtom: false,
      };
    }
    case 'feed':
      return { format: named('Atom', version ?? atomVersion(root)), channel: root, items: itemsIn(root), isAtom: true };
    case 'entry':
      return { format: named('Atom', atomVersion(root)), channel: root.first('source') ?? root, items: [root], isAtom: true };
    default:
      return undefined;
  }
}

function itemsIn(parent: FeedElement | undefined): readonly FeedElement[] {
  return (parent?.children ?? []).filter(({ name }) => name === 'item' || name === 'entry');
}

function named(format: string, version: string | undefined): string {
  return version === undefined ? format : `${format} ${version}`;
}

function atomVersion({ namespace }: FeedElement): string | undefined {
  return /2005/.test(namespace) ? '1.0' : undefined;
}

const titles = ['title', 'dc:title'];
const descriptions = ['description', 'subtitle', 'tagline', 'abstract', 'dc:description', 'itunes:summary', 'info'];
const summaries = [
  'description',
  'summary',
  'abstract',
  'dc:description',
  'content',
  'content:encoded',
  'fullitem',
  'xhtml:body',
  'itunes:summary',
];
const publications = [
  'pubdate',
  'published',
  'issued',
  'dcterms:issued',
  'created',
  'dcterms:created',
  'updated',
  'modified',
  'dcterms:modified',
  'dc:date',
];
const changes = ['lastbuilddate', 'updated', 'modified', 'dcterms:modified', 'pubdate', 'dc:date'];
const authors = ['author', 'managingeditor', 'dc:creator', 'dc:author', 'itunes:author', 'webmaster'];
const rights = ['copyright', 'rights', 'dc:rights'];

async function aboutOf({ format, channel, isAtom }: XmlFeed): Promise<FeedAbout> {
  const words = (names: readonly string[]): Promise<string | null> => firstWords(channel, names, isAtom);
  return {
    format,
    ...present({
      link: linkOf(channel, isAtom),
      description: shortened(await words(descriptions)),
      author: authorOf(channel),
      copyright: shortened(await words(rights)),
      updated_at: timeOf(channel, changes),
    }),
  };
}

async function itemOf(item: FeedElement, { isAtom }: XmlFeed): Promise<FeedItem> {
  return {
    title: await firstWords(item, titles, isAtom),
    link: linkOf(item, isAtom),
    published_at: timeOf(item, publications),
    summary: shortened(await firstWords(item, summaries, isAtom)),
    ...present({ author: authorOf(item) }),
  };
}

async function firstWords(parent: FeedElement, names: readonly string[], isAtom: boolean): Promise<string | null> {
  for (const name of names)
    for (const element of parent.all(name)) {
      const words = await wordsOf(element, isAtom);
      if (words !== null) return words;
    }
  return null;
}

/**
 * Returns the address of the page: an RSS link; the Atom link without another relation (RFC 4287, 4.2.7.2); a GUID that is a
 * permalink (RSS 2.0: every one, unless `isPermaLink` is false); or the attribute of CDF.
 */
function linkOf(parent: FeedElement, isAtom: boolean): string | null {
  const links = parent.all('link');
  const written = links.find((link) => link.attribute('href') === undefined && textIn(link.node).trim() !== '');
  const hrefs = links.filter((link) => link.attribute('href') !== undefined);
  const page =
    hrefs.find((link) => (link.attribute('rel') ?? 'alternate').toLowerCase() === 'alternate') ?? (isAtom ? hrefs[0] : undefined);
  if (written !== undefined) return address(textIn(written.node), written.base);
  if (page !== undefined) return address(page.attribute('href') ?? '', page.base);
  const href = parent.attribute('href') ?? parent.first('a')?.attribute('href');
  return href === undefined ? permalink(parent.first('guid')) : address(href, parent.base);
}

function permalink(guid: FeedElement | undefined): string | null {
  if (guid === undefined || guid.attribute('ispermalink')?.toLowerCase() === 'false') return null;
  const text = textIn(guid.node).trim();
  return /^https?:\/\//i.test(text) ? address(text, undefined) : null;
}

function address(written: string, base: string | undefined): string {
  return parseUrl(written.trim(), base)?.href ?? written.trim();
}

function timeOf(parent: FeedElement, names: readonly string[]): string | null {
  const texts = names.flatMap((name) => parent.all(name)).map(({ node }) => textIn(node).trim());
  const written = texts.find((text) => text !== '') ?? parent.attribute('lastmod');
  return written === undefined ? null : isoTime(written);
}

function textOf(element: FeedElement | undefined): string {
  return element === undefined ? '' : textIn(element.node).replace(/\s+/g, ' ').trim();
}

/** Returns the author as `Name (address)`, the form of RSS; Atom has two elements. */
function authorOf(parent: FeedElement): string | null {
  for (const element of authors.flatMap((name) => parent.all(name))) {
    const [name = '', email = ''] = ['name', 'email'].map((part) => textOf(element.first(part)));
    const both = name === '' ? email : email === '' ? name : `${name} (${email})`;
    const author = both === '' ? textOf(element) : both;
    if (author !== '') return author;
  }
  return null;
}
