import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import type { ReplacedResult } from '../../../plugins/shared/text/utf8.ts';
import { readText } from './read-text.ts';
import type { PageFormat, RenderedPage } from './render-page.ts';

interface FetchParameters {
  readonly url: string;
  readonly format: PageFormat;
  readonly max_bytes: number;
  readonly timeout_ms: number;
}

interface FetchResult extends ReplacedResult {
  /** Address after redirects. */
  readonly url: string;
  readonly status: number;
  readonly content_type: string;
  readonly content: string;
  readonly title: string | null;
  readonly truncated: boolean;
}

const accept = 'text/html, application/xhtml+xml, text/*;q=0.9, */*;q=0.5';

/**
 * Reads a page. Throws what reading a text from the web throws, and EXECUTION_FAILED for a page that cannot be converted to the
 * format.
 */
export function fetchPage(
  { url: address, format, max_bytes: maxBytes, timeout_ms: timeoutMs }: FetchParameters,
  context: FunctionContext,
): Promise<FetchResult> {
  return readText(address, { accept, maxBytes, timeoutMs }, context, async ({ url, status, media, text, replaced, truncated }, signal) => {
    const about = { url, status, content_type: media.essence, truncated, ...replaced };
    if (media.kind !== 'html') return { ...about, content: text, title: null };
    return { ...about, ...(await rendered(text, { format, url, signal }, context)) };
  });
}

interface RenderOptions {
  readonly format: PageFormat;
  readonly url: string;
  readonly signal: AbortSignal;
}

/** Converts a page in a child process: some pages take minutes, or more memory or stack than there is. */
async function rendered(html: string, { format, url, signal }: RenderOptions, context: FunctionContext): Promise<RenderedPage> {
  try {
    return (await context.inChild('./render-page.ts#renderPage', { html, format, url }, { signal })) as RenderedPage;
  } catch (error) {
    signal.throwIfAborted();
    if (!ToolkitError.is(error) || error.code !== 'EXECUTION_FAILED') throw error;
    const advice = format === 'html' ? 'Read less of it with "max_bytes"' : 'Ask for the format html';
    const message = `${excerpt(url)} cannot be turned into ${format}: ${excerpt(messageOf(error))}. ${advice}.`;
    throw new ToolkitError('EXECUTION_FAILED', message, { url: excerpt(url) }, { cause: error });
  }
}
