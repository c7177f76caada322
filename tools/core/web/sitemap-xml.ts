import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import { findMalformedXml } from '../convert/malformed-xml.ts';
import { elementsIn, localName, openXml, textIn, type XmlNode } from './xml-nodes.ts';

interface SitemapData {
  readonly text: string;
  readonly url: string;
  readonly max_urls: number;
}

/**
 * Parses a sitemap (sitemaps.org): an index, a set of addresses, or a text with one address a line. Runs in a child process.
 * Throws EXECUTION_FAILED for other content.
 */
export async function parseSitemap({ text, url, max_urls: maxUrls }: SitemapData) {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (!trimmed.startsWith('<')) return plainList(trimmed, url, maxUrls);
  const root = await openXml(trimmed);
  const name = localName(root?.name ?? '');
  if (root === undefined || (name !== 'urlset' && name !== 'sitemapindex')) throw noSitemap(url);
  const urls = entriesOf(root, 'url');
  const sitemaps = entriesOf(root, 'sitemap').map(({ location }) => location);
  const malformed = findMalformedXml(trimmed);
  return {
    urls: urls.slice(0, maxUrls),
    sitemaps: sitemaps.slice(0, maxUrls),
    truncated: urls.length > maxUrls || sitemaps.length > maxUrls,
    ...(malformed === undefined ? {} : { malformed }),
  };
}

function entriesOf(root: XmlNode, name: string): { location: string; last_modified: string | null }[] {
  return childrenOf(root, name).flatMap((entry) => {
    const [location, lastModified] = ['loc', 'lastmod'].map((part) => textOf(childrenOf(entry, part)[0]));
    return location === undefined ? [] : [{ location, last_modified: lastModified ?? null }];
  });
}

function childrenOf(node: XmlNode, name: string): readonly XmlNode[] {
  return elementsIn(node).filter((child) => localName(child.name) === name);
}

/** Returns the text of an element; undefined when it is empty. */
function textOf(node: XmlNode | undefined): string | undefined {
  const text = node === undefined ? '' : textIn(node).trim();
  return text === '' ? undefined : text;
}

function plainList(text: string, url: string, maxUrls: number) {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0 || !lines.every((line) => /^https?:\/\//i.test(line))) throw noSitemap(url);
  return {
    urls: lines.slice(0, maxUrls).map((location) => ({ location, last_modified: null })),
    sitemaps: [],
    truncated: lines.length > maxUrls,
  };
}

function noSitemap(url: string): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    `${excerpt(url)} is no sitemap: expected <urlset>, <sitemapindex>, or one address a line. Its address is often in robots.txt: see web_read_robots.`,
  );
}
