import type { ReadContext, Resource, ResourceContent, ResourceTemplate } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { UriTemplate } from '../../../shared/mcp-sdk/uri-template.ts';
import { readingClient } from '../asking/call-client.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { listPage } from '../catalog/list-page.ts';
import type { Connection } from '../clients/connection.ts';
import type { Router } from '../handlers/router.ts';
import { ProtocolError, toProtocolError } from '../protocol-error.ts';
import { Subscriptions } from './subscriptions.ts';

/** Error codes for an unknown resource, by era (MCP, Resources, Error Handling). */
const notFoundCodes = { legacy: -32002, modern: errorCodes.invalidParams } as const;

/** Handles the requests that list and read resources. */
export function handleResources(connection: Connection, router: Router): void {
  const { catalog, caller, pageSize } = connection;
  const { kernel } = catalog;
  router.on('resources/list', ({ cursor }) => {
    const resources = [...catalog.resources.values()];
    const { page, nextCursor } = listPage(resources, ({ uri }) => uri, { cursor, pageSize });
    return { resources: page.map(listResource), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  router.on('resources/templates/list', ({ cursor }) => {
    const templates = [...catalog.resourceTemplates.values()];
    const { page, nextCursor } = listPage(templates, ({ uriTemplate }) => uriTemplate, { cursor, pageSize });
    return { resourceTemplates: page.map(listTemplate), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  router.on('resources/read', async ({ uri }, exchange) => {
    try {
      const client = readingClient(connection, exchange, uri);
      const content = await read(catalog, uri, { caller, signal: exchange.signal, logger: kernel.logger, client });
      if (content === undefined) throw notFound(uri, connection.era);
      return { contents: [content].flat().map((part) => kernel.mask(part)) };
    } catch (error) {
      throw toProtocolError(kernel, error);
    }
  });
}

/** Handles subscriptions to resources. `notify` reports a changed resource to the client. Returns a function that ends them all. */
export function handleSubscriptions({ catalog, tenant, shares }: Connection, router: Router, notify: (uri: string) => void): () => void {
  const subscriptions = new Subscriptions(catalog, () => shares.take(tenant, 'subscriptions'), notify);
  router.on('resources/subscribe', ({ uri }) => {
    if (!exists(catalog, uri)) throw notFound(uri, 'legacy');
    try {
      subscriptions.add(uri);
    } catch (error) {
      throw toProtocolError(catalog.kernel, error);
    }
    return {};
  });
  router.on('resources/unsubscribe', ({ uri }) => {
    subscriptions.remove(uri);
    return {};
  });
  return () => subscriptions.close();
}

function listResource({ uri, name, title, description, mimeType, size }: Resource) {
  return { uri, name, ...defined({ title, description, mimeType, size }) };
}

function listTemplate({ uriTemplate, name, title, description, mimeType }: ResourceTemplate) {
  return { uriTemplate, name, ...defined({ title, description, mimeType }) };
}

/** Returns the object without its undefined members. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

async function read(
  catalog: Catalog,
  uri: string,
  context: ReadContext,
): Promise<ResourceContent | readonly ResourceContent[] | undefined> {
  const resource = catalog.resources.get(uri);
  const isOwn = ({ source }: Pick<Resource, 'source'>): boolean => source === undefined;
  if (resource !== undefined && isOwn(resource)) return resource.read(context);
  const matching = matchingTemplates(catalog, uri);
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

export function exists(catalog: Catalog, uri: string): boolean {
  return catalog.resources.has(uri) || matchingTemplates(catalog, uri).length > 0;
}

function matchingTemplates(catalog: Catalog, uri: string): { template: ResourceTemplate; variables: Record<string, string> }[] {
  return [...catalog.resourceTemplates.values()].flatMap((template) => {
    const variables = variablesOf(template.uriTemplate, uri);
    return variables === undefined ? [] : [{ template, variables }];
  });
}

/** Returns the decoded template variables in a URI. Returns undefined for a URI that does not match, is over 2,048 characters, or is badly encoded. */
function variablesOf(uriTemplate: string, uri: string): Record<string, string> | undefined {
  if (uri.length > 2048) return undefined;
  const variables = new UriTemplate(uriTemplate).match(uri);
  if (variables === null) return undefined;
  try {
    return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, decodeURIComponent([value].flat().join(','))]));
  } catch {
    return undefined;
  }
}

function notFound(uri: string, era: Connection['era']): ProtocolError {
  const shown = uri.length <= 200 ? uri : `${uri.slice(0, 199)}…`;
  return new ProtocolError(
    notFoundCodes[era],
    `There is no resource "${shown}". resources/list and resources/templates/list show what there is.`,
    {
      uri: shown,
    },
  );
}
