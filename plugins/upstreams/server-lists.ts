import type { Client } from '@modelcontextprotocol/client';
import { isPlainObject, type JsonObject, ToolkitError } from '../../kernel/index.ts';

/** Everything that a server offers, as it was sent. */
export interface ServerLists {
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly instructions?: string;
  /** True when the server completes arguments. */
  readonly completes: boolean;
  /** True when the server reports changes of single resources. Absent in lists of earlier versions. */
  readonly subscribes?: boolean;
}

/** Limits of one list. */
const maxPages = 1000;
const maxItems = 10_000;

/** Methods of the lists, each with the capability that a server with such a list declares. */
const lists = {
  tools: { method: 'tools/list', capability: 'tools' },
  resources: { method: 'resources/list', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources' },
  prompts: { method: 'prompts/list', capability: 'prompts' },
} as const;

type ListName = keyof typeof lists;

const methodNotFound = -32601;

/** Reads all lists of a server, page by page. Throws UPSTREAM_UNAVAILABLE for lists without an end. */
export async function readLists(client: Client, signal: AbortSignal, timeoutMs: number): Promise<ServerLists> {
  const capabilities = client.getServerCapabilities() ?? {};
  const read = async (name: ListName): Promise<readonly JsonObject[]> => {
    if (capabilities[lists[name].capability] === undefined) return [];
    return readList(client, name, signal, timeoutMs);
  };
  const names = Object.keys(lists) as ListName[];
  const found = await Promise.all(names.map(async (name) => [name, await read(name)] as const));
  const instructions = client.getInstructions();
  return {
    ...(Object.fromEntries(found) as Record<ListName, readonly JsonObject[]>),
    ...(instructions === undefined ? {} : { instructions }),
    completes: capabilities.completions !== undefined,
    ...(capabilities.resources?.subscribe === true ? { subscribes: true } : {}),
  };
}

async function readList(client: Client, name: ListName, signal: AbortSignal, timeout: number): Promise<readonly JsonObject[]> {
  const { method } = lists[name];
  const items: JsonObject[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; cursors.size <= maxPages; ) {
    const page = await client
      .request({ method, params: cursor === undefined ? {} : { cursor } }, { signal, timeout })
      .catch((error: { readonly code?: unknown }) => {
        // Servers have resources without templates, and do not know that list.
        if (name === 'resourceTemplates' && error.code === methodNotFound) return {};
        throw error;
      });
    const { [name]: listed, nextCursor } = page as Readonly<Record<string, unknown>>;
    if (Array.isArray(listed)) items.push(...listed.filter(isPlainObject).map((item) => item as JsonObject));
    if (items.length > maxItems) throw endless(`more than ${maxItems} ${name}`);
    if (typeof nextCursor !== 'string') return items;
    if (cursors.has(nextCursor)) throw endless(`the same page of ${name} twice`);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  throw endless(`more than ${maxPages} pages of ${name}`);
}

function endless(what: string): ToolkitError {
  return new ToolkitError('UPSTREAM_UNAVAILABLE', `it lists ${what}, which is not taken.`);
}
