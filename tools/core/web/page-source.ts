import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import type { ReplacedResult } from '../../../plugins/shared/text/utf8.ts';
import { checkUrl } from './check-url.ts';
import { tooLong } from './fetch-error.ts';
import { readText } from './read-text.ts';

export interface SourceParameters {
  readonly url?: string;
  readonly html?: string;
  readonly base_url?: string;
}

export interface PageSource {
  readonly html: string;
  /** Base of relative addresses, unless the page sets another; undefined when unknown. */
  readonly url: string | undefined;
  /** Part of the result that counts replaced bytes in the text. */
  readonly replaced: ReplacedResult;
}

const accept = 'text/html, application/xhtml+xml, */*;q=0.5';
const maxBytes = 10 * 1024 * 1024;
const timeoutMs = 30_000;

/**
 * Fetches a page, or takes the given one. Throws INVALID_PARAMETERS unless exactly one of the two is set, OUTPUT_TOO_LARGE, and
 * what reading a text throws.
 */
export async function pageSource({ url, html, base_url: base }: SourceParameters, context: FunctionContext): Promise<PageSource> {
  if ((url === undefined) === (html === undefined)) {
    const message = `expected exactly one of "url" and "html", received ${url === undefined ? 'neither' : 'both'}`;
    throw new ToolkitError('INVALID_PARAMETERS', `The parameters are wrong: ${message}.`, { issues: [{ path: '', message }] });
  }
  if (html !== undefined) return { html, url: base === undefined ? undefined : checkUrl(base, 'base_url').href, replaced: {} };
  return readText(url ?? '', { accept, maxBytes, timeoutMs }, context, ({ text, url: final, media, replaced, truncated }) => {
    if (media.kind !== 'html')
      throw new ToolkitError(
        'EXECUTION_FAILED',
        `${excerpt(final)} is no HTML page but ${excerpt(media.essence, 60)}. Read it with web_fetch.`,
        {
          url: final,
          content_type: media.essence,
        },
      );
    if (truncated) throw tooLong(final, maxBytes);
    return { html: text, url: final, replaced };
  });
}
