import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { readText } from './read-text.ts';
import { type PageFormat, renderPage } from './render-page.ts';

interface FetchParameters {
  readonly url: string;
  readonly format: PageFormat;
  readonly max_bytes: number;
  readonly timeout_ms: number;
}

interface FetchResult {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly content_type: string;
  readonly content: string;
  readonly title: string | null;
  readonly truncated: boolean;
}

/** Named here because this module, unlike the ones it imports, keeps its place when the code is bundled. */
const pageThread = new URL('./page-thread.mjs', import.meta.url);

const accept = 'text/html, application/xhtml+xml, text/*;q=0.9, */*;q=0.5';

/** Reads a page. Throws what reading a text from the web throws, and EXECUTION_FAILED for a page that cannot be turned into the format. */
export function fetchPage(
  { url: address, format, max_bytes: maxBytes, timeout_ms: timeoutMs }: FetchParameters,
  context: FunctionContext,
): Promise<FetchResult> {
  return readText(address, { accept, maxBytes, timeoutMs }, context, async ({ url, status, media, text, truncated }, signal) => {
    const about = { url, status, content_type: media.essence, truncated };
    if (media.kind !== 'html') return { ...about, content: text, title: null };
    return { ...about, ...(await renderPage(text, { format, url, thread: pageThread, signal })) };
  });
}
