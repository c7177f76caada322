import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { type ReplacedResult, replacedResult } from '../../../plugins/shared/text/utf8.ts';
import { decodeText } from './decode-text.ts';
import { exchange } from './exchange.ts';
import { statusError } from './fetch-error.ts';
import { mediaTypeOf } from './media-type.ts';
import { readBytes } from './read-bytes.ts';
import { closeAndReturn } from './read-text.ts';

interface Sitemap extends ReplacedResult {
  readonly urls: readonly { readonly location: string; readonly last_modified: string | null }[];
  readonly sitemaps: readonly string[];
  /** True when there are more addresses than requested, or the file is over the limit of the protocol. */
  readonly truncated: boolean;
  /** First position at which the XML is not well-formed, and the reason. */
  readonly malformed?: string;
}

/** Limit of the protocol, uncompressed (sitemaps.org), in bytes. */
const maxBytes = 50 * 1024 * 1024;
const timeoutMs = 60_000;

/** Reads one sitemap or index of sitemaps, plain or as gzip. Throws EXECUTION_FAILED for other content. */
export function readSitemap(
  { url, max_urls: maxUrls }: { readonly url: string; readonly max_urls: number },
  context: FunctionContext,
): Promise<Sitemap> {
  const headers = new Headers({ accept: 'application/xml, text/xml, text/plain;q=0.9, */*;q=0.5' });
  return exchange(url, { method: 'GET', headers }, timeoutMs, context, async ({ response, url: final }) => {
    if (response.status >= 400) throw await closeAndReturn(response, statusError(response.status, final, response.headers));
    const { bytes, truncated } = await readBytes(response.body, maxBytes);
    const plain = await unpacked(bytes, final);
    const decoded = decodeText(plain, { ...mediaTypeOf(response.headers), kind: 'text' });
    const data = { text: decoded.text, url: final, max_urls: maxUrls };
    const { malformed, ...sitemap } = (await context.inChild('./sitemap-xml.ts#parseSitemap', data)) as Sitemap;
    return {
      ...sitemap,
      truncated: sitemap.truncated || truncated,
      // A file that was cut off always lacks its end.
      ...(malformed === undefined || truncated ? {} : { malformed }),
      ...replacedResult(decoded),
    };
  });
}

async function unpacked(bytes: Uint8Array, url: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const [{ gunzip }, { promisify }] = await Promise.all([import('node:zlib'), import('node:util')]);
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `${excerpt(url)} is a gzip file that is broken, or that has more than ${maxBytes} bytes in it. Save it to a file with web_download.`,
      {},
      { cause: error },
    );
  }
}
