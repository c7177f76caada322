import { decodeMultipart } from '../decoder/decode-multipart.ts';
import { headerOf, type RawRequest } from '../decoder/decode-request.ts';
import { rawPairs } from '../decoder/decode-styled.ts';
import { bare } from '../decoder/described-operation.ts';
import { NumberText, readExactJson } from '../decoder/read-exact-json.ts';

/** A request in parts that mean the same, however they were encoded. */
export interface TakenApart {
  readonly method: string;
  /** Decoded segments of the path. */
  readonly path: readonly string[];
  /** Decoded pairs of the query, in order. */
  readonly query: readonly (readonly [string, string])[];
  readonly mediaType: string | undefined;
  /** JSON with numbers as texts, ordered pairs of a form, parts, or a text. */
  readonly body: unknown;
}

/** The parts of a request that are compared. */
export const comparedParts = ['method', 'path', 'query', 'mediaType', 'body'] as const satisfies readonly (keyof TakenApart)[];

export function takeApart({ method, url, rawHeaders, body }: RawRequest): TakenApart {
  const contentType = headerOf({ rawHeaders }, 'content-type');
  return {
    method,
    ...urlParts(url),
    mediaType: contentType === undefined ? undefined : bare(contentType),
    body: bodyParts(body, contentType ?? ''),
  };
}

export function urlParts(url: string): Pick<TakenApart, 'path' | 'query'> {
  const [path = '', ...rest] = url.split('?');
  return {
    path: path.split('/').map(decoded),
    query: rawPairs(rest.join('?')).map(([name, value]) => [decoded(name), decoded(value)] as const),
  };
}

function bodyParts(body: Buffer, contentType: string): unknown {
  if (body.length === 0) return undefined;
  const mediaType = bare(contentType);
  const text = body.toString('utf8');
  if (mediaType === 'application/x-www-form-urlencoded') return formPairs(text);
  if (mediaType === 'multipart/form-data')
    return decodeMultipart(body, contentType).map(({ name, bytes }) => [name, bytes.toString('utf8')]);
  return /[/+]json$/.test(mediaType) ? jsonParts(text) : text;
}

export function formPairs(text: string): readonly (readonly [string, string])[] {
  return rawPairs(text).map(([name, value]) => [decoded(name.replaceAll('+', ' ')), decoded(value.replaceAll('+', ' '))] as const);
}

/** Reads JSON with numbers by value, so that `1.0` and `1` are one number, and long integers by their digits. */
export function jsonParts(text: string): unknown {
  return withNumbers(readExactJson(text));
}

export function withNumbers(value: unknown): unknown {
  if (value instanceof NumberText) return { number: /^-?\d{16,}$/.test(value.text) ? value.text : String(Number(value.text)) };
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNumbers(member)]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return `not decodable: ${text}`;
  }
}
