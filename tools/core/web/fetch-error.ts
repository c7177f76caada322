import { type ErrorCode, excerpt, messageOf, ToolkitError, type ToolView } from '../../../kernel/index.ts';
import { codeOfStatus, parseRetryAfterMs } from '../../../plugins/shared/http/status.ts';
import type { MediaType } from './media-type.ts';

const meanings: Readonly<Partial<Record<ErrorCode, string>>> = {
  AUTH_FAILED: 'it wants a login, which this tool cannot give',
  INSUFFICIENT_SCOPE: 'it refuses access. Try another source',
  NOT_FOUND: 'there is nothing at this address. Check it, or start from a page that links to it',
  RATE_LIMITED: 'too many requests. Wait before reading it again',
  UPSTREAM_UNAVAILABLE: 'the server failed. Try again later',
  BAD_REQUEST: 'it refuses the request. Check the address',
};

/** Returns the error for a status from 400 on, with the address after redirects. */
export function statusError(status: number, address: string, headers: Headers): ToolkitError {
  const url = excerpt(address);
  const retryAfterMs = parseRetryAfterMs(headers);
  const code = codeOfStatus(status, retryAfterMs !== undefined);
  return new ToolkitError(code, `${url} answered ${status}: ${meanings[code]}.`, {
    status,
    url,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Returns the error for a redirect without a web address, where the caller needs content. */
export function notFollowed(status: number, address: string): ToolkitError {
  const url = excerpt(address);
  const message = `${url} answered ${status} without a web address to follow. Check the address, or see with web_head where it leads.`;
  return new ToolkitError('EXECUTION_FAILED', message, { status, url });
}

/** Returns the error for content that was cut off, where the caller needs all of it. */
export function tooLong(address: string, maxBytes: number): ToolkitError {
  const message = `${excerpt(address)} is longer than ${maxBytes} bytes. Save it to a file with web_download, or read its beginning with web_fetch.`;
  return new ToolkitError('OUTPUT_TOO_LARGE', message, { maxBytes });
}

/** Returns the error for a request without a complete response. */
export function connectionError(host: string, error: unknown): ToolkitError {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code } = Object(cause) as { readonly code?: string };
  const message = messageOf(cause);
  const what = code === undefined || message.includes(code) ? message : `${code}: ${message}`;
  return new ToolkitError(
    'UPSTREAM_UNAVAILABLE',
    `${host} gave no whole answer: ${excerpt(what)}. Check the address, or try again later.`,
    {},
    { cause: error },
  );
}

/** Returns the error for content without a text form. Names web_download when the caller has that tool. */
export function binaryContent(status: number, address: string, { essence }: MediaType, tools: ToolView): ToolkitError {
  const url = excerpt(address);
  const advice = tools.list().some(({ name }) => name === 'web_download')
    ? 'Save it to a file with web_download'
    : 'Choose the address of a page or a text';
  const type = essence === '' ? 'application/octet-stream' : excerpt(essence, 60);
  return new ToolkitError('EXECUTION_FAILED', `${url} is binary (${type}) and cannot be given as text. ${advice}.`, {
    status,
    url,
    content_type: type,
  });
}
