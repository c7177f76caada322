import { isPlainObject, type JsonValue } from '../../../kernel/index.ts';
import { generatedValue } from './generated-value.ts';
import { readRequest } from './sent-request.ts';
import type { DescribedTool } from './sources.ts';
import type { Answerer } from './stand-in.ts';
import { pagingOf, type VendorPaging } from './vendor-paging.ts';

/** Items that a service gives when nobody says how many. */
const ownSize = 2;

/**
 * A list of so many items as its vendor would give it out, page by page. `path` is where the list is in an answer. What is wrong with the
 * requests goes into `findings`.
 */
export function pagedList({ tool, operation }: DescribedTool, path: string, total: number, findings: string[]): Answerer {
  const { size, next } = pagingOf(tool.provider, operation.id);
  const schema = operation.answers.find((answer) => answer.schema !== undefined)?.schema ?? {};
  const template = generatedValue(schema, { members: 'all', items: 1, nulls: false, turn: 0 });
  const [item] = (memberAt(template, path) ?? []) as readonly JsonValue[];
  if (item === undefined) findings.push(`the description has no list at "${path}"`);
  let served = 0;
  let expected: Readonly<Record<string, unknown>> = {};

  return (request, response) => {
    const sent = readRequest(request, operation, tool);
    const values: Readonly<Record<string, unknown>> = { ...sent.query, ...(isPlainObject(sent.body) ? sent.body : {}) };
    findings.push(...sent.findings);
    for (const [name, value] of Object.entries(expected))
      if (values[name] !== value) findings.push(`goes on with ${name} ${String(values[name])} and not ${String(value)}`);
    const wanted = Number(values[size.name] ?? ownSize);
    if (!(wanted >= 1 && wanted <= size.maximum)) findings.push(`the page size is ${wanted}`);
    const count = Math.min(wanted, total - served);
    served += count;
    const step = stepOf(next, { served, total, size: wanted, sizeName: size.name, path: tool.path ?? '' });
    expected = step.expected;
    const body = [...step.body, [path, Array.from({ length: count }, () => item ?? null)] as const].reduce(
      (whole, [place, value]) => withMember(whole, place, value),
      template,
    );
    const headers = { 'content-type': 'application/json', ...(step.link === undefined ? {} : { link: step.link }) };
    response.writeHead(200, headers).end(JSON.stringify(body));
  };
}

interface Page {
  /** Items given out so far. */
  readonly served: number;
  readonly total: number;
  readonly size: number;
  readonly sizeName: string;
  readonly path: string;
}

interface Step {
  /** Members of an answer about the next page by their path; undefined for a missing one. */
  readonly body: readonly (readonly [string, JsonValue | undefined])[];
  /** The Link header. */
  readonly link?: string;
  /** Parameters that the next request must send. */
  readonly expected: Readonly<Record<string, unknown>>;
}

function stepOf(next: VendorPaging['next'], { served, total, size, sizeName, path }: Page): Step {
  const isLast = served >= total;
  const number = Math.ceil(served / size);
  switch (next.kind) {
    case 'cursor': {
      if (!isLast) return { body: [[next.path, `after-${served}`]], expected: { [next.name]: `after-${served}` } };
      return { body: [next.end === undefined ? [next.path.split('.')[0] ?? '', undefined] : [next.path, next.end]], expected: {} };
    }
    case 'page': {
      const linkTo = (page: number, rel: string): string => `<https://api.example.com/list?${next.name}=${page}>; rel="${rel}"`;
      const links = [...(number > 1 ? [linkTo(number - 1, 'prev')] : []), ...(isLast ? [] : [linkTo(number + 1, 'next')])];
      const isLinked = next.hasLink && links.length > 0;
      return { body: [], expected: { [next.name]: number + 1 }, ...(isLinked ? { link: links.join(', ') } : {}) };
    }
    case 'offset':
      return { body: [[next.totalPath, total]], expected: { [next.name]: served } };
    case 'url': {
      const expected = { [sizeName]: size, [next.pageName]: number, [next.tokenName]: `after-${served}` };
      const query = new URLSearchParams(Object.entries(expected).map(([name, value]): [string, string] => [name, String(value)]));
      return { body: [[next.path, isLast ? null : `${path}?${query}`]], expected };
    }
  }
}

/** Returns the member at a dotted path; the whole value for an empty path. */
export function memberAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  const keys = path === '' ? [] : path.split('.');
  return keys.reduce<JsonValue | undefined>((node, key) => (isPlainObject(node) ? (node[key] as JsonValue) : undefined), value);
}

function withMember(whole: JsonValue, path: string, value: JsonValue | undefined): JsonValue {
  if (path === '') return value ?? null;
  const [key = '', ...rest] = path.split('.');
  const { [key]: old, ...others } = (isPlainObject(whole) ? whole : {}) as Record<string, JsonValue>;
  if (rest.length === 0) return value === undefined ? others : { ...others, [key]: value };
  return { ...others, [key]: withMember(old ?? {}, rest.join('.'), value) };
}
