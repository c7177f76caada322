import { isSameText } from '../arguments/compare-arguments.ts';
import type { DocumentArguments } from '../arguments/document-arguments.ts';
import type { DecodedRequest, RawRequest } from '../decoder/decode-request.ts';
import { decodeText, rawPairs } from '../decoder/decode-styled.ts';
import type { DescribedDocument, DescribedOperation, DescribedParameter } from '../decoder/described-operation.ts';

/** Returns names of the query that two parameters of the document write: it does not say which. */
export function ambiguousNames({ parameters }: DescribedOperation, document: DescribedDocument): ReadonlySet<string> {
  const names = styledInQuery(parameters).flatMap((parameter) =>
    isExplodedObject(parameter, document) ? [...document.members(parameter.schema).keys()] : [parameter.name],
  );
  return repeated(names);
}

/**
 * Returns exploded objects of the query with members of any name, where there are at least two: each of them can have written each pair (OAS
 * 3.1, Style Examples: the name of such a parameter is not on the wire).
 */
export function openObjects({ parameters }: DescribedOperation, document: DescribedDocument): readonly DescribedParameter[] {
  const open = styledInQuery(parameters).filter((parameter) => isExplodedObject(parameter, document) && document.isOpen(parameter.schema));
  return open.length < 2 ? [] : open;
}

/** Returns the names that several of the given open objects have. */
export function namesOfSeveral(open: readonly DescribedParameter[], given: DocumentArguments): ReadonlySet<string> {
  return repeated(open.flatMap((parameter) => membersOf(parameter, given).map(([name]) => name)));
}

/** Returns the members of open objects that are not on the wire as pairs, all of them in their order, and pairs that are none of them. */
export function lostMembers(
  open: readonly DescribedParameter[],
  given: DocumentArguments,
  decoded: DecodedRequest,
  { url }: RawRequest,
): readonly string[] {
  const claimed = new Set(open.flatMap((parameter) => membersOf(parameter, decoded).map(([name]) => name)));
  const expected = open.flatMap((parameter) => membersOf(parameter, given));
  const received = rawPairs(url.split('?')[1] ?? '')
    .map(([name, value]) => [decodeText(name), decodeText(value)] as const)
    .filter(([name]) => claimed.has(name));
  const isSame =
    expected.length === received.length &&
    expected.every(([name, value], index) => received[index]?.[0] === name && isSameText(value, received[index][1]));
  return isSame ? [] : [`members of open objects: given ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`];
}

function styledInQuery(parameters: readonly DescribedParameter[]): readonly DescribedParameter[] {
  return parameters.filter((parameter) => parameter.in === 'query' && parameter.mediaType === undefined);
}

function isExplodedObject({ style, explode, schema }: DescribedParameter, document: DescribedDocument): boolean {
  return style === 'form' && explode && document.kinds(schema).has('object');
}

function membersOf(
  { name }: DescribedParameter,
  { parameters }: { readonly parameters: ReadonlyMap<string, unknown> },
): readonly (readonly [string, unknown])[] {
  return Object.entries((parameters.get(`query ${name}`) ?? {}) as object).filter(([, value]) => value !== null && value !== undefined);
}

function repeated(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}
