import type { ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { type ReplacedResult, replacedResult } from '../../../plugins/shared/text/utf8.ts';
import { contentTypeOf } from './content-type.ts';
import { decodeText, looksBinary } from './decode-text.ts';
import { exchange } from './exchange.ts';
import { binaryContent, statusError } from './fetch-error.ts';
import { type MediaType, mediaTypeOf } from './media-type.ts';
import { readBytes } from './read-bytes.ts';

export interface ReadOptions {
  /** Accept header. */
  readonly accept: string;
  /** Limit after decompression. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface TextOfUrl {
  /** Address after redirects. */
  readonly url: string;
  readonly status: number;
  readonly media: MediaType;
  readonly text: string;
  /** Part of the result that counts replaced bytes in the text. */
  readonly replaced: ReplacedResult;
  readonly truncated: boolean;
}

/**
 * Reads a text from the web. `work` runs within the remaining time. Throws what an exchange throws, the code of a status from
 * 400 on, and EXECUTION_FAILED for content that is not text.
 */
export function readText<T>(
  address: string,
  { accept, maxBytes, timeoutMs }: ReadOptions,
  context: FunctionContext,
  work: (page: TextOfUrl, signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const outgoing = { method: 'GET', headers: new Headers({ accept }) };
  return exchange(address, outgoing, timeoutMs, context, async ({ response, url }, signal) => {
    const { status, headers } = response;
    const declared = mediaTypeOf(headers);
    if (status >= 400) throw await closeAndReturn(response, statusError(status, url, headers));
    if (declared.kind === 'binary') throw await closeAndReturn(response, binaryContent(status, url, declared, context.tools));
    const { bytes, truncated } = await readBytes(response.body, maxBytes);
    const media = contentTypeOf(headers, bytes);
    if (media.kind === 'binary' || looksBinary(bytes, media.charset)) throw binaryContent(status, url, media, context.tools);
    const decoded = decodeText(bytes, media);
    return work({ url, status, media, text: decoded.text, replaced: replacedResult(decoded), truncated }, signal);
  });
}

/** Closes the connection and returns the error. */
export async function closeAndReturn(response: Response, error: ToolkitError): Promise<ToolkitError> {
  await response.body?.cancel();
  return error;
}
