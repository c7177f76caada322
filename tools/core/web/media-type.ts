import { isUtf8 } from './decode-text.ts';

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
  return { essence, kind: kindOf(essence), ...(charset === undefined ? {} : { charset }) };
}

function kindOf(essence: string): MediaType['kind'] {
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return 'html';
  if (textual.test(essence)) return 'text';
  return binary.test(essence) ? 'binary' : 'unknown';
}

/** What content without a telling Content-Type is: HTML by how it begins, text when it is UTF-8, else binary. */
export function sniffMediaType(bytes: Uint8Array, declared: MediaType): MediaType {
  const kind = !isUtf8(bytes) ? 'binary' : isHtml(bytes) ? 'html' : 'text';
  const guess = { html: 'text/html', text: 'text/plain', binary: 'application/octet-stream' }[kind];
  return { ...declared, kind, essence: declared.essence === '' ? guess : declared.essence };
}

function isHtml(bytes: Uint8Array): boolean {
  return /^\uFEFF?\s*(<!--[\s\S]*?-->\s*)?<(!doctype html|html|head|body)\b/i.test(new TextDecoder().decode(bytes.subarray(0, 1024)));
}
