import { isDeepStrictEqual } from 'node:util';
import type { DocumentArguments } from '../arguments/document-arguments.ts';
import type { DescribedDocument, DescribedOperation, DescribedParameter } from '../decoder/described-operation.ts';
import type { TakenApart } from './taken-apart.ts';

/** One thing in which two requests differ. */
export interface Difference {
  readonly part: keyof TakenApart;
  /** The query parameter, or the member of a form, to which it belongs. */
  readonly name?: string;
  readonly parameter?: DescribedParameter | undefined;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** Facts by which a fault of swagger-client is judged. */
export interface Compared {
  readonly document: DescribedDocument;
  readonly operation: DescribedOperation;
  readonly given: DocumentArguments;
}

type Pairs = readonly (readonly [string, string])[];

/** Returns the differences of two requests: pairs of a query or form by name, anything else as a whole. */
export function differencesOf(ours: TakenApart, theirs: TakenApart, compared: Compared): readonly Difference[] {
  const differences: Difference[] = [];
  for (const part of ['method', 'path', 'mediaType'] as const)
    if (!isDeepStrictEqual(ours[part], theirs[part])) differences.push({ part, ours: ours[part], theirs: theirs[part] });
  differences.push(...pairDifferences('query', ours.query, theirs.query, compared));
  if (isPairs(ours.body) && isPairs(theirs.body)) differences.push(...pairDifferences('body', ours.body, theirs.body, compared));
  else if (!isDeepStrictEqual(withoutOrder(ours.body), withoutOrder(theirs.body)))
    differences.push({ part: 'body', ours: ours.body, theirs: theirs.body });
  return differences;
}

function pairDifferences(part: 'query' | 'body', ours: Pairs, theirs: Pairs, { operation, given }: Compared): readonly Difference[] {
  if (isDeepStrictEqual(ours, theirs)) return [];
  const names = [...new Set([...ours, ...theirs].map(([name]) => name))];
  const valuesOf = (pairs: Pairs, name: string): readonly string[] => pairs.filter(([other]) => other === name).map(([, value]) => value);
  const differences = names
    .filter((name) => !isDeepStrictEqual(valuesOf(ours, name), valuesOf(theirs, name)))
    .map((name): Difference => {
      const parameter = part === 'query' ? ownerOf(name, operation, given) : undefined;
      return { part, name, parameter, ours: valuesOf(ours, name), theirs: valuesOf(theirs, name) };
    });
  return differences.length > 0
    ? differences
    : [{ part, name: 'order', ours: ours.map(([name]) => name), theirs: theirs.map(([name]) => name) }];
}

/** Returns the query parameter that writes a name: of that name, deepObject, or an exploded object with that member. */
function ownerOf(name: string, { parameters }: DescribedOperation, given: DocumentArguments): DescribedParameter | undefined {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return (
    inQuery.find((parameter) => parameter.name === name) ??
    inQuery.find((parameter) => parameter.style === 'deepObject' && name.startsWith(`${parameter.name}[`)) ??
    inQuery.find((parameter) => {
      const value = given.parameters.get(`query ${parameter.name}`);
      return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    })
  );
}

function isPairs(value: unknown): value is Pairs {
  return (
    Array.isArray(value) &&
    value.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string' && typeof item[1] === 'string')
  );
}

/** Members of a JSON object have no order. */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, withoutOrder(member)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
