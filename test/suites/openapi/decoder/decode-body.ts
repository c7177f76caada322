import { decodeMultipart, type Part } from './decode-multipart.ts';
import { decodePairs, decodeText, type RawPair, rawPairs } from './decode-styled.ts';
import { bare, type DescribedBody, type DescribedDocument, type Kind } from './described-operation.ts';
import { readExactJson } from './read-exact-json.ts';

/** Returns the kind of a member: `key` is `body <member>`. */
type KindOf = (key: string, schema: unknown) => Kind;

/** Reads a body by the document: JSON with numbers as `NumberText`, members of a form, parts by name, or a text. Throws for a type that it does not describe. */
export function decodeBody(
  body: Buffer,
  contentType: string,
  document: DescribedDocument,
  bodies: readonly DescribedBody[],
  kindOf: KindOf,
): unknown {
  if (body.length === 0) return undefined;
  const mediaType = bare(contentType);
  const described = bodies.find((one) => one.mediaType === mediaType) ?? bodies.find((one) => matchesRange(mediaType, one.mediaType));
  if (described === undefined) throw new Error(`The document describes no body of type ${mediaType}.`);
  if (mediaType === 'application/x-www-form-urlencoded') return decodeForm(body.toString('utf8'), document, described, kindOf);
  if (mediaType === 'multipart/form-data') return decodeParts(decodeMultipart(body, contentType), document, described, kindOf);
  if (/[/+]json$/.test(mediaType)) return readExactJson(body.toString('utf8'));
  return body.toString('utf8');
}

/** Reads a form by the Encoding Objects of its members (OAS 3.1, Encoding Object; WHATWG URL, 5.1). */
function decodeForm(text: string, document: DescribedDocument, { schema, encoding }: DescribedBody, kindOf: KindOf): unknown {
  const pairs = rawPairs(text);
  const decode = (raw: string): string => decodeText(raw.replaceAll('+', ' '));
  const members = new Map(document.members(schema));
  for (const [raw] of pairs) {
    const name = decode(raw).split('[')[0] as string;
    if (!members.has(name) && !members.has(decode(raw))) members.set(decode(raw), undefined);
  }
  const decoded: Record<string, unknown> = {};
  for (const [name, member] of members) {
    const { style, explode, contentType } = encoding[name] ?? {};
    const kind = kindOf(`body ${name}`, member);
    const isStyled = style !== undefined || explode !== undefined;
    const isPlain = kind === 'text' || isStyled || (kind === 'list' && contentType === undefined);
    const chosen = { name, style: style ?? 'form', explode: explode ?? (style ?? 'form') === 'form' };
    const known = (other: string): boolean => other !== name && !members.has(other);
    const value = isPlain
      ? decodePairs(pairs, chosen, kind, known, decode)
      : (decodePairs(pairs, { name, style: 'form', explode: true }, 'text', known, decode) ??
        decodePairs(pairs, { name, style: 'deepObject', explode: true }, kind, known, decode));
    if (value !== undefined) decoded[name] = value;
  }
  return decoded;
}

function decodeParts(parts: readonly Part[], document: DescribedDocument, { schema, encoding }: DescribedBody, kindOf: KindOf): unknown {
  const members = document.members(schema);
  const decoded: Record<string, unknown> = {};
  const styled = Object.entries(encoding).filter(([, { style }]) => style === 'deepObject');
  const pairs = parts.map(({ name, bytes }): RawPair => [name, bytes.toString('utf8')]);
  for (const [name] of styled) {
    const value = decodePairs(
      pairs,
      { name, style: 'deepObject', explode: true },
      kindOf(`body ${name}`, members.get(name)),
      () => false,
      (raw) => raw,
    );
    if (value !== undefined) decoded[name] = value;
  }
  const isStyled = (name: string): boolean => styled.some(([other]) => name === other || name.startsWith(`${other}[`));
  for (const name of new Set(parts.map((part) => part.name).filter((other) => !isStyled(other)))) {
    const own = parts
      .filter((part) => part.name === name)
      .map((part) => (part.fileName === undefined ? part.bytes.toString('utf8') : part));
    decoded[name] = kindOf(`body ${name}`, members.get(name)) === 'list' ? own : own.length === 1 ? own[0] : own;
  }
  return decoded;
}

function matchesRange(mediaType: string, range: string): boolean {
  return range === '*/*' || (range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1)));
}
