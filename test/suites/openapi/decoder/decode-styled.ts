import type { DescribedParameter, Kind } from './described-operation.ts';

/** A decoded value whose leaves are texts. */
export type Tree = string | readonly Tree[] | { readonly [name: string]: Tree };

/** A pair of a query or form as it came, not yet decoded. */
export type RawPair = readonly [name: string, value: string];

export interface StyledValue {
  readonly name: string;
  readonly style: string;
  readonly explode: boolean;
}

export function decodeText(raw: string): string {
  return decodeURIComponent(raw);
}

/** Splits a query at its separators, before anything is decoded (RFC 3986, 2.4). */
export function rawPairs(query: string): readonly RawPair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): RawPair => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    });
}

/** Decodes a value of a path (OAS 3.1, Style Values; RFC 6570, 3.2.2, 3.2.5 and 3.2.7). Throws where the text is not of the style. */
export function decodePathValue(raw: string, { name, style, explode }: StyledValue, kind: Kind): Tree {
  if (style === 'label') {
    const rest = without('.', raw);
    if (kind === 'text') return decodeText(rest);
    return listOrObject(explode ? rest.split('.') : rest.split(','), kind, explode);
  }
  if (style === 'matrix') {
    const parts = without(';', raw)
      .split(';')
      .map((part) => rawPairs(part)[0] ?? ['', '']);
    if (explode && kind === 'object') return Object.fromEntries(parts.map(([key, value]) => [decodeText(key), decodeText(value)]));
    for (const [key] of parts) if (decodeText(key) !== name) throw new Error(`The matrix parameter ${key} is not ${name}.`);
    if (explode && kind === 'list') return parts.map(([, value]) => decodeText(value));
    const [[, value] = ['', '']] = parts;
    return kind === 'text' ? decodeText(value) : listOrObject(value.split(','), kind, false);
  }
  return kind === 'text' ? decodeText(raw) : listOrObject(raw.split(','), kind, explode);
}

/**
 * Decodes a header value (OAS 3.1, Parameter Object, style `simple`). A text stands as it is; in lists and objects, a comma inside of an item
 * is percent-encoded.
 */
export function decodeHeaderValue(raw: string, { explode }: Pick<DescribedParameter, 'explode'>, kind: Kind): Tree {
  if (kind === 'text') return raw;
  return listOrObject(
    raw.split(',').map((part) => part.trim()),
    kind,
    explode,
  );
}

const delimiters: Readonly<Record<string, string>> = { form: ',', spaceDelimited: '%20', pipeDelimited: '|' };

/**
 * Decodes a value from the pairs of a query, cookie or form. `claims` says which names the members of an exploded object can have.
 * Returns undefined where no pair belongs to it.
 */
export function decodePairs(
  pairs: readonly RawPair[],
  { name, style, explode }: StyledValue,
  kind: Kind,
  claims: (name: string) => boolean,
  decode: (raw: string) => string = decodeText,
): Tree | undefined {
  if (style === 'deepObject' && kind !== 'text') return decodeDeepObject(pairs, name, decode);
  if (kind === 'object' && explode) {
    const own = pairs.filter(([key]) => claims(decode(key)));
    return own.length === 0 ? undefined : Object.fromEntries(own.map(([key, value]) => [decode(key), decode(value)]));
  }
  const values = pairs.filter(([key]) => decode(key) === name).map(([, value]) => value);
  if (values.length === 0) return undefined;
  if (kind === 'list' && explode) return values.map(decode);
  const [value = '', ...others] = values;
  if (others.length > 0) throw new Error(`"${name}" is there ${values.length} times.`);
  return kind === 'text' ? decode(value) : listOrObject(value.split(delimiters[style] ?? ','), kind, false, decode);
}

/** Decodes `name[a][b]=1`. A name that comes again, or ends with `[]` or numbers, is a list. */
function decodeDeepObject(pairs: readonly RawPair[], name: string, decode: (raw: string) => string): Tree | undefined {
  const root = new Map<string, unknown>();
  let isThere = false;
  for (const [rawName, rawValue] of pairs) {
    const isLiteral = rawName.includes('[');
    const [head = '', ...rest] = (isLiteral ? rawName : decode(rawName)).split('[');
    const decodeName = isLiteral ? decode : (text: string): string => text;
    if (rest.length === 0 || decodeName(head) !== name) continue;
    isThere = true;
    const path = rest.map((segment) => decodeName(segment.replace(/\]$/, '')));
    const isList = path.at(-1) === '';
    if (isList && path.length > 1) path.pop();
    place(root, path, decode(rawValue), isList);
  }
  if (!isThere) return undefined;
  // `name[]=1`, as services write a list, for which OpenAPI defines no form.
  const whole = plain(root);
  const isList = root.size === 1 && root.has('');
  return isList ? ((whole as Readonly<Record<string, Tree>>)[''] as Tree) : whole;
}

function place(node: Map<string, unknown>, [key = '', ...rest]: readonly string[], value: string, isList: boolean): void {
  if (rest.length > 0) {
    const inner = node.get(key);
    const next = inner instanceof Map ? inner : new Map<string, unknown>();
    node.set(key, next);
    place(next, rest, value, isList);
  } else if (node.has(key) || isList) {
    const before = node.get(key);
    node.set(key, before === undefined ? [value] : [...[before].flat(), value]);
  } else {
    node.set(key, value);
  }
}

function plain(node: unknown): Tree {
  if (!(node instanceof Map)) return node as Tree;
  const names = [...node.keys()];
  const isList = names.length > 0 && names.every((name, index) => name === String(index));
  return isList ? [...node.values()].map(plain) : Object.fromEntries([...node].map(([name, value]) => [name, plain(value)]));
}

function listOrObject(parts: readonly string[], kind: Kind, explode: boolean, decode: (raw: string) => string = decodeText): Tree {
  if (kind !== 'object') return parts.map(decode);
  if (explode) {
    return Object.fromEntries(
      parts.map((part) => {
        const at = part.indexOf('=');
        return at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
      }),
    );
  }
  if (parts.length % 2 === 1) throw new Error(`Expected names and values by turns, received ${parts.length} items.`);
  return Object.fromEntries(
    Array.from({ length: parts.length / 2 }, (_, index) => [decode(parts[2 * index] ?? ''), decode(parts[2 * index + 1] ?? '')]),
  );
}

function without(prefix: string, raw: string): string {
  if (!raw.startsWith(prefix)) throw new Error(`Expected "${prefix}" at the beginning, received "${raw}".`);
  return raw.slice(1);
}
