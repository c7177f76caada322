import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ReadContext, Resource, ResourceContent, ResourceTemplate } from '../../../kernel/index.ts';
import type { Offer } from './catalog.ts';
import { pageOf } from './list-page.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Connection } from './protocol-server.ts';
import { readError } from './read-error.ts';
import { Subscriptions } from './subscriptions.ts';

/** MCP, Resources, Error Handling. */
const resourceNotFound = -32002;

/** Of one connection. */
const maxSubscriptions = 1000;

/** Lists, reads and watches resources. Returns the end of all subscriptions. */
export function handleResources({ server, router, offer, caller, pageSize }: Connection): () => void {
  const { kernel } = offer;
  router.on('resources/list', ListResourcesRequestSchema, ({ params }) => {
    const { items, nextCursor } = pageOf([...offer.resources], params?.cursor, pageSize);
    return { resources: items.map(listResource), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  router.on('resources/templates/list', ListResourceTemplatesRequestSchema, ({ params }) => {
    const { items, nextCursor } = pageOf([...offer.resourceTemplates], params?.cursor, pageSize);
    return { resourceTemplates: items.map(listTemplate), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  router.on('resources/read', ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
    try {
      const found = await read(offer, uri, { caller, signal, logger: kernel.logger });
      if (found === undefined) throw notFound(uri);
      return { contents: [found].flat().map((content) => kernel.mask(content)) } as ReadResourceResult;
    } catch (error) {
      throw readError(kernel, error);
    }
  });
  const subscriptions = new Subscriptions(offer, (uri) => void server.sendResourceUpdated({ uri }).catch(() => {}));
  router.on('resources/subscribe', SubscribeRequestSchema, ({ params: { uri } }) => {
    if (!exists(offer, uri)) throw notFound(uri);
    if (subscriptions.size >= maxSubscriptions)
      throw new ProtocolError(
        ErrorCode.InvalidParams,
        `At most ${maxSubscriptions} subscriptions are kept for a connection. End some first.`,
      );
    try {
      subscriptions.add(uri);
    } catch (error) {
      throw readError(kernel, error);
    }
    return {};
  });
  router.on('resources/unsubscribe', UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscriptions.remove(uri);
    return {};
  });
  return () => subscriptions.close();
}

function listResource({ uri, name, title, description, mimeType, size }: Resource) {
  return { uri, name, ...given({ title, description, mimeType, size }) };
}

function listTemplate({ uriTemplate, name, title, description, mimeType }: ResourceTemplate) {
  return { uriTemplate, name, ...given({ title, description, mimeType }) };
}

function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

async function read(offer: Offer, uri: string, context: ReadContext): Promise<ResourceContent | readonly ResourceContent[] | undefined> {
  const resource = offer.resources.get(uri);
  if (resource !== undefined) return resource.read(context);
  for (const { template, variables } of matching(offer, uri)) {
    const found = await template.read(uri, variables, context);
    if (found !== undefined) return found;
  }
  return undefined;
}

function exists(offer: Offer, uri: string): boolean {
  return offer.resources.has(uri) || matching(offer, uri).length > 0;
}

function matching(offer: Offer, uri: string): { template: ResourceTemplate; variables: Record<string, string> }[] {
  return [...offer.resourceTemplates.values()].flatMap((template) => {
    const variables = variablesOf(template.uriTemplate, uri);
    return variables === undefined ? [] : [{ template, variables }];
  });
}

/** The values in a URI, decoded; undefined when it does not fit the template, is too long to be tried, or is not well encoded. */
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

function notFound(uri: string): ProtocolError {
  const shown = uri.length <= 200 ? uri : `${uri.slice(0, 199)}…`;
  return new ProtocolError(
    resourceNotFound,
    `There is no resource "${shown}". resources/list and resources/templates/list show what there is.`,
    {
      uri: shown,
    },
  );
}
