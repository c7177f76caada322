import { decodeBody } from './decode-body.ts';
import { decodeHeaderValue, decodePairs, decodePathValue, decodeText, type RawPair, rawPairs } from './decode-styled.ts';
import { bare, type DescribedDocument, type DescribedOperation, type DescribedParameter, type Kind } from './described-operation.ts';
import { readExactJson } from './read-exact-json.ts';

/** A request as it came over the wire. */
export interface RawRequest {
  readonly method: string;
  /** Path and query as they came, not decoded. */
  readonly url: string;
  /** Names and values by turns, as Node's `rawHeaders`. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Kinds of the arguments, where the document allows several: by `<place> <name>`, and `body <member>`. */
export type KindHints = (key: string) => Kind | undefined;

export interface DecodedRequest {
  /** By `<place> <name>`. Leaves are texts; for a parameter with a JSON media type, numbers are `NumberText`. */
  readonly parameters: ReadonlyMap<string, unknown>;
  readonly mediaType: string | undefined;
  /** JSON with numbers as `NumberText`, members of a form, parts by name, or a text. */
  readonly body: unknown;
  /** Names of the query and of cookies that no parameter explains. */
  readonly unexplained: readonly string[];
}

/** Reads the arguments of an operation back from a request, by the document alone. Throws where the request is not as described. */
export function decodeRequest(
  request: RawRequest,
  document: DescribedDocument,
  operation: DescribedOperation,
  hints: KindHints,
  basePath = '',
): DecodedRequest {
  if (request.method !== operation.method) throw new Error(`Expected the method ${operation.method}, received ${request.method}.`);
  const [path = '', query = ''] = splitOnce(request.url, '?');
  const parameters = new Map<string, unknown>();
  const keep = (parameter: DescribedParameter, value: unknown): void => {
    if (value !== undefined) parameters.set(`${parameter.in} ${parameter.name}`, value);
  };
  const kindOf = (key: string, schema: unknown): Kind => {
    const kinds = document.kinds(schema);
    const hint = hints(key);
    if (kinds.size === 1) return [...kinds][0] as Kind;
    return hint !== undefined && (kinds.size === 0 || kinds.has(hint)) ? hint : ([...kinds][0] ?? 'text');
  };
  const inPlace = (place: DescribedParameter['in']): readonly DescribedParameter[] =>
    operation.parameters.filter((parameter) => parameter.in === place);

  const segments = matchPath(path, basePath + (operation.path.split(/[?#]/)[0] ?? ''));
  for (const parameter of inPlace('path')) {
    const raw = segments.get(parameter.name);
    if (raw === undefined) continue;
    keep(
      parameter,
      parameter.mediaType === undefined
        ? decodePathValue(raw, parameter, kindOf(`path ${parameter.name}`, parameter.schema))
        : asContent(decodeText(raw), parameter.mediaType),
    );
  }

  const fixed = rawPairs(splitOnce(operation.path.split('#')[0] ?? '', '?')[1] ?? '').map(([name]) => name);
  const unexplained: string[] = [];
  const readPairs = (place: 'query' | 'cookie', pairs: readonly RawPair[], decode: (raw: string) => string): void => {
    const own = inPlace(place);
    const explained = new Set<string>(fixed);
    for (const parameter of own) {
      const kind = kindOf(`${place} ${parameter.name}`, parameter.schema);
      if (parameter.mediaType !== undefined) {
        const value = decodePairs(pairs, { name: parameter.name, style: 'form', explode: true }, 'text', () => false, decode);
        keep(parameter, value === undefined ? undefined : asContent(value as string, parameter.mediaType));
        explained.add(parameter.name);
        continue;
      }
      const members = document.members(parameter.schema);
      const others = own.filter((other) => other !== parameter);
      const isOfOther = (name: string): boolean =>
        others.some((other) => other.name === name || (other.style === 'deepObject' && name.startsWith(`${other.name}[`)));
      const claims = (name: string): boolean => members.has(name) || (document.isOpen(parameter.schema) && !isOfOther(name));
      const value = decodePairs(pairs, parameter, kind, claims, decode);
      keep(parameter, value);
      for (const [raw] of pairs) {
        const name = decode(raw);
        const isOwn =
          parameter.style === 'deepObject' && kind !== 'text'
            ? name.startsWith(`${parameter.name}[`)
            : kind === 'object' && parameter.explode
              ? claims(name)
              : name === parameter.name;
        if (isOwn) explained.add(name);
      }
    }
    for (const [raw] of pairs) if (!explained.has(decode(raw))) unexplained.push(`${place} ${decode(raw)}`);
  };
  // A blank is %20 and a plus %2B: both kinds of servers read that alike.
  if (/\+/.test(query) && !inPlace('query').some(({ allowReserved }) => allowReserved))
    throw new Error(`The query "${query}" has a plus sign that some servers read as a blank.`);
  readPairs('query', rawPairs(query), decodeText);

  for (const parameter of inPlace('header')) {
    const raw = headerOf(request, parameter.name);
    if (raw === undefined) continue;
    keep(
      parameter,
      parameter.mediaType === undefined
        ? decodeHeaderValue(raw, parameter, kindOf(`header ${parameter.name}`, parameter.schema))
        : asContent(raw, parameter.mediaType),
    );
  }
  const cookies = (headerOf(request, 'cookie') ?? '').split(/;\s*/).flatMap((pair) => rawPairs(pair));
  readPairs('cookie', cookies, decodeText);

  const contentType = headerOf(request, 'content-type');
  const mediaType = contentType === undefined ? undefined : bare(contentType);
  return { parameters, mediaType, body: decodeBody(request.body, contentType ?? '', document, operation.bodies, kindOf), unexplained };
}

function asContent(text: string, mediaType: string): unknown {
  return /[/+]json\b/i.test(mediaType) ? readExactJson(text) : text;
}

/** Returns the raw texts of the placeholders of a path. */
function matchPath(path: string, template: string): ReadonlyMap<string, string> {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const literals = template.split(/\{[^}]+\}/).map((literal) => pathLiteral(literal).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const found = new RegExp(`^${literals.join('([^/?#]*?)')}$`).exec(pathLiteral(path));
  if (found === null) throw new Error(`Expected the path ${template}, received ${path}.`);
  return new Map(names.map((name, index) => [name, found[index + 1] ?? '']));
}

/** Writes characters of a document's path as a URL has them, so that `/a b` and `/a%20b` match. */
function pathLiteral(text: string): string {
  return text.replace(/[^\u0021-\u007e]|["<>`]/gu, (character) => encodeURIComponent(character));
}

export function headerOf({ rawHeaders }: Pick<RawRequest, 'rawHeaders'>, name: string): string | undefined {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map((value) => Buffer.from(value, 'latin1').toString('utf8')).join(', ');
}

function splitOnce(text: string, by: string): readonly string[] {
  const at = text.indexOf(by);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
