export interface MediaType {
  /** Type and subtype in lower case; empty when the server sent none. */
  readonly essence: string;
  readonly charset?: string;
  /** `unknown`: the bytes decide. */
  readonly kind: 'html' | 'text' | 'binary' | 'unknown';
}

const textual =
  /^text\/|[/+](json|xml|yaml)$|^application\/(x-)?(javascript|ecmascript|ndjson|jsonl|yaml|toml|sql|sh|graphql|www-form-urlencoded)$/;

const binary = /^(image|audio|video|font|model)\/|^application\/(pdf|zip|gzip|x-tar|x-7z-compressed|vnd\..*|msword|wasm|java-archive)$/;

/** Parses the Content-Type header (RFC 9110, 8.3). */
export function mediaTypeOf(headers: Headers): MediaType {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';');
  const essence = type.trim().toLowerCase();
  const charset = /(?:^|;)\s*charset\s*=\s*"?([^\s";]+)/i.exec(parameters.join(';'))?.[1];
  // Some servers send the charset "binary" for content that is not text.
  const isNone = charset === undefined || charset.toLowerCase() === 'binary';
  return { essence, kind: kindOf(essence), ...(isNone ? {} : { charset }) };
}

function kindOf(essence: string): MediaType['kind'] {
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return 'html';
  if (textual.test(essence)) return 'text';
  return binary.test(essence) ? 'binary' : 'unknown';
}
