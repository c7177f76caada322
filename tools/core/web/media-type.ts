import { decodeText, hasByteOrderMark, isUtf8 } from './decode-text.ts';

export interface MediaType {
  /** Type and subtype in lower case; empty when the server sent none. */
  readonly essence: string;
  readonly charset?: string;
  /** `unknown`: the bytes must tell. */
  readonly kind: 'html' | 'text' | 'binary' | 'unknown';
}

const textual =
  /^text\/|[/+](json|xml|yaml)$|^application\/(x-)?(javascript|ecmascript|ndjson|jsonl|yaml|toml|sql|sh|graphql|www-form-urlencoded)$/;

const binary = /^(image|audio|video|font|model)\/|^application\/(pdf|zip|gzip|x-tar|x-7z-compressed|vnd\..*|msword|wasm|java-archive)$/;

/** What the Content-Type header says (RFC 9110, 8.3). */
export function mediaTypeOf(headers: Headers): MediaType {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';');
  const essence = type.trim().toLowerCase();
  const charset = /(?:^|;)\s*charset\s*=\s*"?([^\s";]+)/i.exec(parameters.join(';'))?.[1];
  // Some servers say "binary" of what is no text.
  const isNone = charset === undefined || charset.toLowerCase() === 'binary';
  return { essence, kind: kindOf(essence), ...(isNone ? {} : { charset }) };
}

/** What the Content-Type header says, and where that does not tell what kind of content it is, what the bytes say. */
export function contentTypeOf(headers: Headers, bytes: Uint8Array): MediaType {
  const declared = mediaTypeOf(headers);
  return declared.kind === 'unknown' ? sniffMediaType(bytes, declared) : declared;
}

function kindOf(essence: string): MediaType['kind'] {
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return 'html';
  if (textual.test(essence)) return 'text';
  return binary.test(essence) ? 'binary' : 'unknown';
}

/** HTML by how it begins, text when its encoding is named or it is UTF-8, else binary. */
function sniffMediaType(bytes: Uint8Array, declared: MediaType): MediaType {
  const isText = declared.charset !== undefined || hasByteOrderMark(bytes) || isUtf8(bytes);
  const kind = isHtml(bytes, declared.charset) ? 'html' : isText ? 'text' : 'binary';
  const guess = { html: 'text/html', text: 'text/plain', binary: 'application/octet-stream' }[kind];
  return { ...declared, kind, essence: declared.essence === '' ? guess : declared.essence };
}

function isHtml(bytes: Uint8Array, charset: string | undefined): boolean {
  const start = decodeText(bytes.subarray(0, 1024), { kind: 'html', ...(charset === undefined ? {} : { charset }) });
  return /^\s*(<!--[\s\S]*?-->\s*)?<(!doctype html|html|head|body|meta|title)\b/i.test(start);
}
