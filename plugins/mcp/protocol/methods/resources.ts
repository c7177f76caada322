import Type from 'typebox';
import type { ReadContext, ReadResult, Resource, ResourceContent, ResourceTemplate } from '../../../../kernel/index.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import { readingClient } from '../asking/call-client.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { listPage } from '../catalog/list-page.ts';
import { toRpcError } from '../errors.ts';
import type { Revision } from '../revisions.ts';
import { ListParams, listCaching, type Method, method, paramsOf, uncached } from './method.ts';

const UriParams = paramsOf({ uri: Type.String() });

const hasSessions = (revision: Revision): boolean => revision.hasSessions;

/** Lists, reads and watches resources. */
export const resourceMethods: Readonly<Record<string, Method>> = {
  'resources/list': method({
    params: ListParams,
    caching: listCaching,
    answer({ catalog, pageSize }, { cursor }) {
      const { page, nextCursor } = listPage([...catalog.resources.values()], ({ uri }) => uri, { cursor, pageSize });
      return { resources: page.map(listResource), ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
  }),
  'resources/templates/list': method({
    params: ListParams,
    caching: listCaching,
    answer({ catalog, pageSize }, { cursor }) {
      const templates = [...catalog.resourceTemplates.values()];
      const { page, nextCursor } = listPage(templates, ({ uriTemplate }) => uriTemplate, { cursor, pageSize });
      return { resourceTemplates: page.map(listTemplate), ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
  }),
  'resources/read': method({
    params: UriParams,
    mayAsk: true,
    caching: uncached,
    async answer(connection, { uri }, exchange) {
      const { catalog, caller, revision } = connection;
      const { kernel } = catalog;
      try {
        const client = readingClient(connection, exchange, uri);
        const { signal, context } = exchange;
        const content = await read(catalog, uri, { caller, signal, logger: kernel.logger, client, span: context.span });
        if (content === undefined) throw unknownResource(uri, revision);
        if ('contents' in content) return { ...kernel.mask(content) };
        return { contents: [content].flat().map((part) => kernel.mask(part)) };
      } catch (error) {
        throw toRpcError(kernel, error);
      }
    },
  }),
  'resources/subscribe': method({
    params: UriParams,
    isIn: hasSessions,
    async answer({ catalog, revision, subscriptions }, { uri }) {
      if (!(await exists(catalog, uri))) throw unknownResource(uri, revision);
      try {
        subscriptions?.add(uri);
      } catch (error) {
        throw toRpcError(catalog.kernel, error);
      }
      return {};
    },
  }),
  'resources/unsubscribe': method({
    params: UriParams,
    isIn: hasSessions,
    answer({ subscriptions }, { uri }) {
      subscriptions?.remove(uri);
      return {};
    },
  }),
};

function listResource({ uri, name, title, description, mimeType, size, annotations, icons, _meta }: Resource) {
  return { uri, name, ...defined({ title, description, mimeType, size, annotations, icons, _meta }) };
}

function listTemplate({ uriTemplate, name, title, description, mimeType, annotations, icons, _meta }: ResourceTemplate) {
  return { uriTemplate, name, ...defined({ title, description, mimeType, annotations, icons, _meta }) };
}

/** Returns the object without its undefined members. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

async function read(
  catalog: Catalog,
  uri: string,
  context: ReadContext,
): Promise<ResourceContent | readonly ResourceContent[] | ReadResult | undefined> {
  const resource = catalog.resources.get(uri);
  const isOwn = ({ source }: Pick<Resource, 'source'>): boolean => source === undefined;
  if (resource !== undefined && isOwn(resource)) return resource.read(context);
  const matching = await matchingTemplates(catalog, uri);
  const first = async (of: typeof matching): ReturnType<typeof read> => {
    for (const { template, variables } of of) {
      const content = await template.read(uri, variables, context);
      if (content !== undefined) return content;
    }
    return undefined;
  };
  // Our own templates come first: the list of a source must not answer for their URIs.
  const own = await first(matching.filter(({ template }) => isOwn(template)));
  if (own !== undefined) return own;
  if (resource !== undefined) return resource.read(context);
  return first(matching.filter(({ template }) => !isOwn(template)));
}

export async function exists(catalog: Catalog, uri: string): Promise<boolean> {
  return catalog.resources.has(uri) || (await matchingTemplates(catalog, uri)).length > 0;
}

interface MatchingTemplate {
  readonly template: ResourceTemplate;
  /** Decoded values of the template's variables. */
  readonly variables: Record<string, string>;
}

/** Finds the templates of a URI. A URI over 2,048 characters matches none. */
async function matchingTemplates(catalog: Catalog, uri: string): Promise<readonly MatchingTemplate[]> {
  const templates = [...catalog.resourceTemplates.values()];
  if (templates.length === 0 || uri.length > 2048) return [];
  const { UriTemplate } = await import('../../../shared/mcp-sdk/uri-template.ts');
  return templates.flatMap((template) => {
    const matched = new UriTemplate(template.uriTemplate).match(uri);
    const variables = matched === null ? undefined : decoded(matched);
    return variables === undefined ? [] : [{ template, variables }];
  });
}

/** Returns the decoded values; undefined when one is badly encoded. */
function decoded(variables: Readonly<Record<string, string | readonly string[]>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, decodeURIComponent([value].flat().join(','))]));
  } catch {
    return undefined;
  }
}

function unknownResource(uri: string, { unknownResourceCode }: Revision): RpcError {
  const shown = uri.length <= 200 ? uri : `${uri.slice(0, 199)}…`;
  return new RpcError(
    unknownResourceCode,
    `There is no resource "${shown}". resources/list and resources/templates/list show what there is.`,
    { uri: shown },
  );
}
