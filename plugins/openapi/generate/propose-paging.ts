import { isPlainObject, type JsonObject, type JsonSchema } from '../../../kernel/index.ts';
import type { Operation } from '../operations/operation.ts';
import { type Definitions, targetOf } from './schema-facts.ts';
import type { ToolParameter } from './tool-parameters.ts';

/** Names of parameters for the size of a page. */
const sizeNames = [
  'per_page',
  'page_size',
  'pagesize',
  'limit',
  'maxresults',
  'max_results',
  'count',
  'size',
  'top',
  '$top',
  'pagelen',
  'first',
];
const cursorNames = ['cursor', 'page_token', 'pagetoken', 'next_token', 'nexttoken', 'starting_after', 'after', 'marker', 'continuation'];
const offsetNames = ['offset', 'skip', '$skip', 'startat', 'start'];
const pageNames = ['page', 'page_number', 'pagenumber'];

/** Paths of the next cursor in an answer. */
const cursorPaths = [
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'next_token',
  'nextToken',
  'next_marker',
  'nextMarker',
  'cursor',
  'response_metadata.next_cursor',
  'paging.next.after',
  'meta.next_cursor',
  'pagination.next_cursor',
  'next_page.offset',
];

/** The name of the added parameter: the number of items in all. */
const limitName = 'max_items';

/** Page size where the document names no maximum. */
const usualSize = 100;

export interface PagingFacts {
  readonly parameters: readonly ToolParameter[];
  /** Schema of a parameter for callers, by its name. */
  readonly schemaOf: (name: string) => JsonSchema | undefined;
  readonly output: JsonSchema | undefined;
  readonly definitions: Definitions;
}

/** Returns `paginate` for an operation, guessed from names, for a person to set in an overlay; undefined where names do not say it. */
export function proposePaging({ method }: Operation, { parameters, schemaOf, output, definitions }: PagingFacts): JsonObject | undefined {
  if (method !== 'get' || output === undefined) return undefined;
  const query = parameters.filter(({ place }) => place === 'query');
  const find = (names: readonly string[]): string | undefined => query.find(({ sentAs }) => names.includes(sentAs.toLowerCase()))?.name;
  const items = itemsPath(output, definitions);
  if (items === undefined) return undefined;
  const [cursor, offset, page, size] = [cursorNames, offsetNames, pageNames, sizeNames].map(find);
  const cursorPath = cursor === undefined ? undefined : cursorPaths.find((path) => hasPath(output, path, definitions));
  const next: JsonObject | undefined =
    cursor !== undefined && cursorPath !== undefined
      ? { cursor: { path: cursorPath, parameter: cursor } }
      : page !== undefined
        ? { page: { parameter: page } }
        : offset !== undefined
          ? { offset: { parameter: offset } }
          : undefined;
  if (next === undefined) return undefined;
  const largest = size === undefined ? undefined : targetOf(schemaOf(size) ?? {}, definitions)['maximum'];
  const maximum = typeof largest === 'number' && Number.isInteger(largest) && largest > 0 && largest <= 100_000 ? largest : usualSize;
  return { items, limit: limitName, ...(size === undefined ? {} : { size: { parameter: size, maximum } }), next };
}

/** Returns the path of the one list of objects in an answer; empty where the answer is the list. */
function itemsPath(output: JsonSchema, definitions: Definitions): string | undefined {
  const target = targetOf(output, definitions);
  if (target['type'] === 'array') return '';
  const properties = isPlainObject(target['properties']) ? target['properties'] : {};
  const lists = Object.entries(properties).filter(
    ([name, member]) => /^[\w$-]{1,60}$/.test(name) && isPlainObject(member) && targetOf(member, definitions)['type'] === 'array',
  );
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

function hasPath(schema: JsonSchema, path: string, definitions: Definitions): boolean {
  let at: unknown = schema;
  for (const name of path.split('.')) {
    const properties = isPlainObject(at) ? targetOf(at, definitions)['properties'] : undefined;
    if (!isPlainObject(properties) || !Object.hasOwn(properties, name)) return false;
    at = properties[name];
  }
  return true;
}
