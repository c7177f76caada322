import { excerpt, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { exists, isOfFile, saveStream } from '../../../plugins/shared/confined-files/save-stream.ts';
import { type ReplacedResult, replacedResult } from '../../../plugins/shared/text/utf8.ts';
import { fileError } from '../fs/files/file-error.ts';
import { contentTypeOf } from './content-type.ts';
import { decodeText, looksBinary } from './decode-text.ts';
import { exchange } from './exchange.ts';
import { connectionError } from './fetch-error.ts';
import type { Redirect } from './follow.ts';
import { mediaTypeOf } from './media-type.ts';
import { readBytes } from './read-bytes.ts';
import { responseHeaders } from './response-headers.ts';

interface RequestParameters {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Confined, absolute path. */
  readonly save_to?: string;
  readonly overwrite: boolean;
  readonly max_bytes: number;
  readonly timeout_ms: number;
}

interface SaveOptions {
  readonly overwrite: boolean;
  readonly maxBytes: number;
  readonly url: string;
  readonly method: string;
}

/** Response that was saved to a file. */
interface SavedResponse {
  readonly path: string;
  readonly bytes: number;
  readonly content_type: string;
  readonly sha256: string;
}

interface Answer extends ReplacedResult {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly body_encoding: 'utf8' | 'base64';
  readonly truncated: boolean;
  readonly saved?: SavedResponse;
  readonly redirects: readonly Redirect[];
}

const maxBodyBytes = 1024 * 1024;

/** Methods that change nothing (RFC 9110, 9.2.1) and need no approval. */
const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

/** Headers that some servers read as the method. */
const methodOverrides = ['x-http-method-override', 'x-http-method', 'x-method-override'];

/** Headers that the connection sets (RFC 9110, 7.6.1), and those that belong to the address. */
const connectionHeaders = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Sends any request; every status is a result. Throws INVALID_PARAMETERS for headers and bodies that cannot be sent, and, for a
 * response to be saved, EXECUTION_FAILED for the path and OUTPUT_TOO_LARGE.
 */
export async function request(
  {
    method,
    url,
    headers: given = {},
    query = {},
    body: content,
    save_to: path,
    overwrite,
    max_bytes: maxBytes,
    timeout_ms,
  }: RequestParameters,
  context: FunctionContext,
): Promise<Answer> {
  // Checked before the request is sent, because it may have an effect.
  if (path !== undefined && !overwrite && (await exists(path))) throw alreadyThere(path);
  const headers = headersOf(given);
  if (safeMethods.includes(method)) refuseMethodOverride(headers);
  const body = bodyOf(content, method, headers);
  const outgoing = { method, headers, ...(body === undefined ? {} : { body }) };
  return exchange(withQuery(url, query), outgoing, timeout_ms, context, async ({ response, url: final, redirects }) => {
    const { status } = response;
    const shown = { url: final, status, headers: responseHeaders(response.headers) };
    if (path !== undefined && response.ok) {
      const saved = await save(response, path, { overwrite, maxBytes, url: final, method });
      return { ...shown, body: '', body_encoding: 'utf8', truncated: false, saved, redirects };
    }
    const { bytes, truncated } = await readBytes(response.body, maxBodyBytes);
    const media = contentTypeOf(response.headers, bytes);
    const isText = media.kind !== 'binary' && !looksBinary(bytes, media.charset);
    const text = isText ? decodeText(bytes, media) : undefined;
    return {
      ...shown,
      body: text?.text ?? Buffer.from(bytes).toString('base64'),
      ...(text === undefined ? {} : replacedResult(text)),
      body_encoding: isText ? 'utf8' : 'base64',
      truncated,
      redirects,
    };
  });
}

/** Saves a response. A failure is part of the result: the caller must know the status, because the request was sent. */
async function save(response: Response, path: string, { overwrite, maxBytes, url, method }: SaveOptions): Promise<SavedResponse> {
  const { status } = response;
  const tooLarge = (): ToolkitError =>
    new ToolkitError('OUTPUT_TOO_LARGE', `The answer is larger than ${maxBytes} bytes and was not saved. Raise max_bytes to take it.`, {
      maxBytes,
    });
  try {
    const content = (response.body ?? []) as AsyncIterable<Uint8Array>;
    const saved = await saveStream(content, path, { overwrite, maxBytes, tooLarge });
    return { path, ...saved, content_type: mediaTypeOf(response.headers).essence };
  } catch (error) {
    const failure = isOfFile(error) ? fileError(error, 'write', path) : error;
    const reported = ToolkitError.is(failure) ? failure : connectionError(parseUrl(url)?.host ?? url, failure);
    throw reported.with({ status, carriedOut: !safeMethods.includes(method) });
  }
}

function alreadyThere(path: string): ToolkitError {
  const message = `"${excerpt(path)}" exists already and nothing was sent. Set overwrite to true to replace it, or choose another path.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: path, isSent: false });
}

export function headersOf(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (connectionHeaders.includes(name.toLowerCase()))
      throw wrong(`headers.${name}`, 'a header that does not belong to the connection itself');
    try {
      headers.set(name, value);
    } catch {
      throw wrong(`headers.${name}`, 'a header name of RFC 9110 and a value on one line, in characters up to U+00FF');
    }
  }
  return headers;
}

/** Throws INVALID_PARAMETERS for a header that overrides the method. */
export function refuseMethodOverride(headers: Headers): void {
  const name = methodOverrides.find((header) => headers.has(header));
  if (name !== undefined) throw wrong(`headers.${name}`, 'no header that names another method. Say the method itself');
}

/** Returns the body: a text as it is, any other value as JSON. */
function bodyOf(content: unknown, method: string, headers: Headers): string | undefined {
  if (content === undefined) return undefined;
  if (method === 'GET' || method === 'HEAD') throw wrong('body', `no body with the method ${method}`);
  if (typeof content === 'string') return content;
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return JSON.stringify(content);
}

/** Returns the address with more query parameters. */
export function withQuery(address: string, query: Readonly<Record<string, unknown>>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat())
      if (item !== null) added.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item));
  const url = parseUrl(address);
  if (url === undefined || added.size === 0) return address;
  // The existing query stays as written: it may be signed.
  url.search = url.search === '' ? `${added}` : `${url.search}&${added}`;
  return url.href;
}

function wrong(path: string, expected: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}" cannot be sent: expected ${expected}.`, {
    issues: [{ path, message: `expected ${expected}` }],
  });
}
