import { excerpt, isPlainObject, ToolkitError } from '../../../kernel/index.ts';

interface SitemapData {
  readonly text: string;
  readonly url: string;
  readonly max_urls: number;
}

/** A sitemap (sitemaps.org): an index, a set of addresses, or a text with one address a line. Runs in a child process. Throws EXECUTION_FAILED for what is none. */
export async function parseSitemap({ text, url, max_urls: maxUrls }: SitemapData) {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (!trimmed.startsWith('<')) return plainList(trimmed, url, maxUrls);
  const { XMLParser } = await import('fast-xml-parser');
  const parser = new XMLParser({
    ignoreAttributes: true,
    removeNSPrefix: true,
    parseTagValue: false,
    processEntities: true,
    // Without it references by number stay as they are.
    htmlEntities: true,
    isArray: (name) => name === 'url' || name === 'sitemap',
  });
  const root = parsed(() => parser.parse(trimmed) as unknown, url);
  const set = root['urlset'];
  const index = root['sitemapindex'];
  if (set === undefined && index === undefined) throw noSitemap(url);
  const urls = entriesOf(set, 'url');
  const sitemaps = entriesOf(index, 'sitemap').map(({ location }) => location);
  return {
    urls: urls.slice(0, maxUrls),
    sitemaps: sitemaps.slice(0, maxUrls),
    truncated: urls.length > maxUrls || sitemaps.length > maxUrls,
  };
}

/** The parser gives up on tags that are nested too deeply and on too many entities. */
function parsed(parse: () => unknown, url: string): Readonly<Record<string, unknown>> {
  try {
    const document = parse();
    return isPlainObject(document) ? document : {};
  } catch {
    throw noSitemap(url);
  }
}

function entriesOf(parent: unknown, key: string): { location: string; last_modified: string | null }[] {
  const entries = isPlainObject(parent) && Array.isArray(parent[key]) ? (parent[key] as unknown[]) : [];
  return entries.flatMap((entry) => {
    const { loc, lastmod }: Readonly<Record<string, unknown>> = isPlainObject(entry) ? entry : {};
    return typeof loc === 'string' && loc.trim() !== ''
      ? [{ location: loc.trim(), last_modified: typeof lastmod === 'string' ? lastmod.trim() : null }]
      : [];
  });
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
