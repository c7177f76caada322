import { ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { checkUrl } from './check-url.ts';
import { startDeadline } from './deadline.ts';
import { decodeText, looksBinary } from './decode-text.ts';
import { binaryContent, connectionError, statusError } from './fetch-error.ts';
import { mediaTypeOf, sniffMediaType } from './media-type.ts';
import { readBytes } from './read-bytes.ts';
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

/**
 * Reads a page. Throws INVALID_PARAMETERS for the address, OUTBOUND_BLOCKED, TIMEOUT, UPSTREAM_UNAVAILABLE, the code of a status from 400
 * on, and EXECUTION_FAILED for content that is no text.
 */
export async function fetchPage({ url, format, max_bytes, timeout_ms }: FetchParameters, context: FunctionContext): Promise<FetchResult> {
  const address = checkUrl(url);
  const deadline = startDeadline(context.signal, timeout_ms, address.host);
  try {
    const response = await send(address, context, deadline.signal);
    const declared = mediaTypeOf(response.headers);
    if (response.status >= 400) throw await refused(response, statusError(response));
    if (declared.kind === 'binary') throw await refused(response, binaryContent(response, declared, context.tools));
    const { bytes, truncated } = await readBytes(response.body, max_bytes);
    const media = declared.kind === 'unknown' ? sniffMediaType(bytes, declared) : declared;
    if (media.kind === 'binary' || looksBinary(bytes, media.charset)) throw binaryContent(response, media, context.tools);
    const text = decodeText(bytes, media);
    const about = { url: response.url, status: response.status, content_type: media.essence, truncated };
    if (media.kind !== 'html') return { ...about, content: text, title: null };
    return { ...about, ...(await renderPage(text, { format, url: response.url, thread: pageThread, signal: deadline.signal })) };
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw ToolkitError.is(error) ? error : connectionError(address.host, error);
  } finally {
    deadline.end();
  }
}

async function send(address: URL, context: FunctionContext, signal: AbortSignal): Promise<Response> {
  const { default: ky } = await import('ky');
  return ky(address, {
    headers: { accept: 'text/html, application/xhtml+xml, text/*;q=0.9, */*;q=0.5' },
    signal,
    timeout: false,
    retry: 0,
    throwHttpErrors: false,
    fetch: (input, init) => context.fetch(input, init),
  });
}

/** Lets go of the connection before the error goes out. */
async function refused(response: Response, error: ToolkitError): Promise<ToolkitError> {
  await response.body?.cancel();
  return error;
}
