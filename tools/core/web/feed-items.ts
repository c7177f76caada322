import { excerpt, readJson, ToolkitError } from '../../../kernel/index.ts';
import { findMalformedXml } from '../convert/malformed-xml.ts';
import type { Feed } from './feed/feed-result.ts';
import { readJsonFeed } from './feed/json-feed.ts';
import { readXmlFeed } from './feed/xml-feed.ts';
import { openXml } from './xml-nodes.ts';

interface FeedData {
  readonly text: string;
  readonly url?: string;
  readonly limit: number;
}

/**
 * Parses the entries of an RSS, Atom, RDF, CDF or JSON feed, in the order of the feed. Runs in a child process. Throws
 * EXECUTION_FAILED for other content.
 */
export async function itemsOf({ text, url, limit }: FeedData): Promise<Feed & { readonly malformed?: string }> {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const isJson = trimmed.startsWith('{');
  const feed = isJson ? await readJsonFeed(parsed(trimmed), limit, url) : await readXmlFeed(await openXml(trimmed), limit, url);
  if (feed === undefined) {
    const what = url === undefined ? 'The text' : excerpt(url);
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `${what} is no feed: expected RSS, Atom, RDF, CDF or JSON Feed. A page often names its feed in <link rel="alternate">: see web_select.`,
    );
  }
  const malformed = isJson ? undefined : findMalformedXml(trimmed);
  return { ...feed, ...(malformed === undefined ? {} : { malformed }) };
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
