import { isPlainObject, parseUrl } from '../../../../kernel/index.ts';
import { isoTime, plainText } from '../feed-text.ts';
import { type Feed, type FeedItem, present, shortened } from './feed-result.ts';

type Members = Readonly<Record<string, unknown>>;

/** Parses a JSON Feed (1.0 and 1.1); undefined for other JSON. Only `content_html` holds HTML. */
export async function readJsonFeed(value: unknown, limit: number, url: string | undefined): Promise<Feed | undefined> {
  if (!isPlainObject(value) || !Array.isArray(value['items'])) return undefined;
  const version = /jsonfeed\.org\/version\/([\d.]+)/.exec(textOf(value['version']) ?? '')?.[1];
  const title = textOf(value['title']);
  if (version === undefined && title === null) return undefined;
  const entries = value['items'] as unknown[];
  const items: FeedItem[] = [];
  for (const entry of entries.slice(0, limit)) items.push(await itemOf(isPlainObject(entry) ? entry : {}, url));
  const about = {
    link: addressOf(url, value['home_page_url']),
    description: textOf(value['description']),
    author: authorOf(value),
  };
  return {
    title,
    about: { format: version === undefined ? 'JSON Feed' : `JSON Feed ${version}`, ...present(about) },
    items,
    total: entries.length,
  };
}

async function itemOf(entry: Members, url: string | undefined): Promise<FeedItem> {
  const published = firstText(entry['date_published'], entry['date_modified']);
  const plain = firstText(entry['summary'], entry['content_text']);
  const html = textOf(entry['content_html']);
  return {
    title: textOf(entry['title']),
    link: addressOf(url, entry['url'], entry['external_url']),
    published_at: published === null ? null : isoTime(published),
    summary: shortened(plain ?? (html === null ? null : await plainText(html))),
    ...present({ author: authorOf(entry) }),
  };
}

/** Returns the author: the first of a list since version 1.1, an object before. */
function authorOf({ authors, author }: Members): string | null {
  const all: unknown[] = Array.isArray(authors) ? authors : [author];
  const names = all.map((one) => (isPlainObject(one) ? textOf(one['name']) : null)).filter((name) => name !== null);
  return names.length === 0 ? null : names.join(', ');
}

function addressOf(base: string | undefined, ...values: readonly unknown[]): string | null {
  const written = firstText(...values);
  return written === null ? null : (parseUrl(written, base)?.href ?? written);
}

function firstText(...values: readonly unknown[]): string | null {
  return values.map(textOf).find((text) => text !== null) ?? null;
}

/** Returns a text or a number as a text: many feeds write an id or a title as a number. */
function textOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}
