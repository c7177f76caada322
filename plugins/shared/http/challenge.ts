/** A refusal by a server that wants a token (RFC 6750, 3; RFC 9728, 5.1). */
export interface Challenge {
  readonly error?: string;
  /** The scopes that the request needs. */
  readonly scopes: readonly string[];
  /** The address of the server's metadata. */
  readonly metadataUrl?: string;
}

/** Longest header that is read, in characters. */
const maxLength = 8192;

const parameter = /([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gy;
const scheme = /([!#$%&'*+.^_`|~\w-]+)(?:[ \t]+|$)/y;

/** Returns the Bearer challenge of a response; undefined for one without. Other schemes of the same header are passed over. */
export function challengeOf({ headers }: Pick<Response, 'headers'>): Challenge | undefined {
  const text = (headers.get('www-authenticate') ?? '').slice(0, maxLength);
  const found = schemesIn(text).get('bearer');
  if (found === undefined) return undefined;
  const { error, scope = '', resource_metadata: metadataUrl } = found;
  return {
    scopes: scope
      .split(' ')
      .filter((one) => /^[!#-[\]-~]+$/.test(one))
      .slice(0, 100),
    ...(error === undefined ? {} : { error }),
    ...(metadataUrl === undefined ? {} : { metadataUrl }),
  };
}

/** Returns the parameters of each scheme, in lower case. The first of a repeated scheme or parameter counts. */
function schemesIn(text: string): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const schemes = new Map<string, Record<string, string>>();
  let current: Record<string, string> = {};
  for (let at = 0; at < text.length; ) {
    parameter.lastIndex = at;
    const pair = parameter.exec(text);
    if (pair !== null) {
      const [whole, name = '', quoted, plain = ''] = pair;
      const key = name.toLowerCase();
      if (!Object.hasOwn(current, key)) current[key] = quoted?.replace(/\\(.)/g, '$1') ?? plain;
      at += whole.length;
      continue;
    }
    scheme.lastIndex = at;
    const begun = scheme.exec(text);
    if (begun === null) {
      at++;
      continue;
    }
    const [whole, name = ''] = begun;
    current = {};
    if (!schemes.has(name.toLowerCase())) schemes.set(name.toLowerCase(), current);
    at += whole.length;
  }
  return schemes;
}
