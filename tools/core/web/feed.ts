import { ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { tooLong } from './fetch-error.ts';
import { readText } from './read-text.ts';

interface FeedParameters {
  readonly url?: string;
  readonly xml?: string;
  readonly limit: number;
}

const accept = 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';
const maxBytes = 10 * 1024 * 1024;
const timeoutMs = 30_000;

/**
 * Reads a feed from the web, or takes the given one. Throws INVALID_PARAMETERS unless exactly one of the two is set, and
 * OUTPUT_TOO_LARGE.
 */
export async function readFeed({ url, xml, limit }: FeedParameters, context: FunctionContext): Promise<unknown> {
  if ((url === undefined) === (xml === undefined)) {
    const message = `expected exactly one of "url" and "xml", received ${url === undefined ? 'neither' : 'both'}`;
    throw new ToolkitError('INVALID_PARAMETERS', `The parameters are wrong: ${message}.`, { issues: [{ path: '', message }] });
  }
  if (xml !== undefined) return context.inChild('./feed-items.ts#itemsOf', { text: xml, limit });
  return readText(url ?? '', { accept, maxBytes, timeoutMs }, context, async ({ text, url: final, replaced, truncated }) => {
    if (truncated) throw tooLong(final, maxBytes);
    return { ...((await context.inChild('./feed-items.ts#itemsOf', { text, url: final, limit })) as object), ...replaced };
  });
}
