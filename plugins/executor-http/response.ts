import { type ErrorCode, excerpt, isPlainObject, type JsonValue, type Tool, ToolkitError } from '../../kernel/index.ts';

export interface ReadResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: JsonValue;
}

/** Reads an answer: JSON and text as such, anything else as `{content_type, bytes, base64}`, no body as null. */
export async function readResponse(response: Response, maxBytes: number): Promise<ReadResponse> {
  const contentType = response.headers.get('content-type') ?? '';
  const bytes = await readBytes(response, maxBytes);
  const failed = !response.ok;
  return { status: response.status, contentType, body: bytes.length === 0 ? null : decode(bytes, contentType, failed) };
}

async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new ToolkitError(
        'OUTPUT_TOO_LARGE',
        `The answer is larger than ${maxBytes} bytes and was not read to its end. Ask for less (a filter, a smaller page), or raise maxResponseBytes.`,
        {
          status: response.status,
          maxBytes,
        },
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, contentType: string, isLenient: boolean): JsonValue {
  if (/[/+]json\b/i.test(contentType)) {
    try {
      return JSON.parse(bytes.toString('utf8')) as JsonValue;
    } catch (error) {
      if (isLenient) return bytes.toString('utf8');
      throw new ToolkitError(
        'OUTPUT_INVALID',
        `The answer says it is ${excerpt(contentType, 60)} but does not parse (${excerpt(String((error as Error).message), 100)}). It may have been cut off.`,
        {},
        { cause: error },
      );
    }
  }
  if (contentType === '' || /^text\/|[/+]xml\b|javascript|x-www-form-urlencoded|graphql/i.test(contentType)) {
    return textOf(bytes, contentType) ?? binary(bytes, contentType);
  }
  return binary(bytes, contentType);
}

function textOf(bytes: Buffer, contentType: string): string | undefined {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: contentType === '' }).decode(bytes);
  } catch {
    return contentType === '' ? undefined : bytes.toString('utf8');
  }
}

function binary(bytes: Buffer, contentType: string): JsonValue {
  return {
    content_type: contentType === '' ? 'application/octet-stream' : contentType,
    bytes: bytes.length,
    base64: bytes.toString('base64'),
  };
}

/** The error that a status outside 200 to 299 means, with the provider's own words. */
export function errorOf(tool: Tool, response: Response, read: ReadResponse): ToolkitError {
  const { status } = read;
  const retryAfterMs = retryAfter(response.headers);
  const isRateLimit =
    status === 429 || (status === 403 && (retryAfterMs !== undefined || response.headers.get('x-ratelimit-remaining') === '0'));
  const code = isRateLimit ? 'RATE_LIMITED' : codeOf(status);
  const words = providerWords(read.body);
  const said = words === undefined ? '' : ` It says: ${words}`;
  return new ToolkitError(code, `The service answered ${status} to "${tool.name}": ${meaningOf(code, tool)}.${said}`, {
    tool: tool.name,
    status,
    ...(words === undefined ? {} : { providerMessage: words }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'AUTH_FAILED';
  if (status === 403) return 'INSUFFICIENT_SCOPE';
  if (status === 404 || status === 410) return 'NOT_FOUND';
  return status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'BAD_REQUEST';
}

function meaningOf(code: ErrorCode, tool: Tool): string {
  const names = tool.credentials.map(({ secret }) => secret).join(', ');
  const scopes = tool.definition.authentication?.required_scopes ?? [];
  switch (code) {
    case 'AUTH_FAILED':
      return `the token is invalid or expired${names === '' ? '' : `. Renew ${names}`}`;
    case 'INSUFFICIENT_SCOPE':
      return `the token has insufficient scopes${scopes.length === 0 ? '' : `; the tool needs scope ${scopes.join(', ')}`}`;
    case 'NOT_FOUND':
      return 'the thing does not exist, or the token may not see it';
    case 'RATE_LIMITED':
      return 'too many requests. Wait before calling again';
    case 'UPSTREAM_UNAVAILABLE':
      return 'the service failed. Try again later';
    default:
      return 'the request was malformed or refused. Correct the parameters';
  }
}

/** Retry-After as milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The sentence in an error body, wherever services usually put it. */
function providerWords(body: JsonValue): string | undefined {
  if (typeof body === 'string') return excerpt(body.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/gi, ' ')) || undefined;
  if (!isPlainObject(body)) return undefined;
  const error = body['error'];
  const errors = body['errors'];
  const candidates = [
    body['message'],
    isPlainObject(error) ? error['message'] : error,
    body['error_description'],
    body['detail'],
    body['title'],
    Array.isArray(errors) ? (isPlainObject(errors[0]) ? errors[0]['message'] : errors[0]) : undefined,
  ];
  const found = candidates.find((candidate) => typeof candidate === 'string' && candidate !== '');
  return found === undefined ? undefined : excerpt(found as string);
}
