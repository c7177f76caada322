import { excerpt, isPlainObject, parseUrl, readJson, ToolkitError } from '../../../kernel/index.ts';
import { isoTime, plainText } from './feed-text.ts';

interface FeedData {
  readonly text: string;
  readonly url?: string;
  readonly limit: number;
}

interface Item {
  readonly title: string | null;
  readonly link: string | null;
  readonly published_at: string | null;
  readonly summary: string | null;
}

type Members = Readonly<Record<string, unknown>>;

/** Characters. */
const maxSummary = 2000;

/** The entries of an RSS, Atom, RDF or JSON feed, as the feed orders them. Runs in a child process. Throws EXECUTION_FAILED for what is none. */
export async function itemsOf({ text, url, limit }: FeedData): Promise<{ title: string | null; items: Item[]; total: number }> {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const isJson = trimmed.startsWith('{');
  const feed = await parsed(trimmed, isJson, url);
  const entries: unknown[] = [feed['items'], feed['entries']].find(Array.isArray) ?? [];
  const items: Item[] = [];
  for (const entry of entries.slice(0, limit)) items.push(await itemOf(isPlainObject(entry) ? entry : {}, isJson, url));
  return { title: await titleOf(feed, isJson), items, total: entries.length };
}

async function parsed(text: string, isJson: boolean, url: string | undefined): Promise<Members> {
  const { parseFeed, parseJsonFeed } = await import('feedsmith');
  try {
    return (isJson ? parseJsonFeed(readJson(text)) : parseFeed(text).feed) as Members;
  } catch {
    const what = url === undefined ? 'The text' : excerpt(url);
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `${what} is no feed: expected RSS, Atom, RDF or JSON Feed. A page often names its feed in <link rel="alternate">: see web_select.`,
    );
  }
}

async function itemOf(entry: Members, isJson: boolean, base: string | undefined): Promise<Item> {
  const published = firstText(
    entry['pubDate'],
    entry['published'],
    entry['date_published'],
    entry['updated'],
    entry['date_modified'],
    inside(entry['dc'], 'date'),
    inside(entry['dc'], 'dates'),
  );
  return {
    title: await titleOf(entry, isJson),
    link: linkOf(entry, base),
    published_at: published === null ? null : isoTime(published),
    summary: await summaryOf(entry, isJson),
  };
}

/** Only JSON Feed says which texts are HTML (version 1.1, "Items"); elsewhere all of them may be. */
async function titleOf({ title }: Members, isJson: boolean): Promise<string | null> {
  const text = textIn(title);
  return text === null || isJson ? text : plainText(text);
}

async function summaryOf(entry: Members, isJson: boolean): Promise<string | null> {
  const plain = isJson ? firstText(entry['summary'], entry['content_text']) : null;
  const html = firstText(
    entry['description'],
    entry['summary'],
    entry['content'],
    inside(entry['content'], 'encoded'),
    entry['content_html'],
  );
  if (plain !== null) return shortened(plain);
  return html === null ? null : shortened(await plainText(html));
}

/** Of several links the one to the page itself (RFC 4287, 4.2.7.2). */
function linkOf(entry: Members, base: string | undefined): string | null {
  const links = (Array.isArray(entry['links']) ? (entry['links'] as unknown[]) : []).filter(isPlainObject);
  const own = links.find(({ rel }) => rel === undefined || rel === 'alternate') ?? links[0];
  const written = firstText(entry['link'], entry['url'], own?.['href'], entry['external_url']);
  return written === null ? null : (parseUrl(written, base)?.href ?? written);
}

function inside(value: unknown, key: string): unknown {
  const member = isPlainObject(value) ? value[key] : undefined;
  return Array.isArray(member) ? member[0] : member;
}

function firstText(...values: readonly unknown[]): string | null {
  return values.map(textIn).find((text) => text !== null) ?? null;
}

/** Feeds write a text as it is, or as `{value}`. */
function textIn(value: unknown): string | null {
  const text = isPlainObject(value) ? value['value'] : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

function shortened(text: string): string | null {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain === '') return null;
  return plain.length <= maxSummary ? plain : `${plain.slice(0, maxSummary - 1)}…`;
}
