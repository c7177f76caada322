import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CancelledNotificationSchema, type LoggingLevel, type RequestId, SetLevelRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { checkValue, messageOf } from '../../../kernel/index.ts';
import type { ListName, Offer } from './catalog.ts';
import { handleCompletion } from './completion.ts';
import { handlePrompts } from './prompts.ts';
import { handleResources } from './resources.ts';
import { Router } from './router.ts';
import { handleTools } from './tools.ts';

export interface ProtocolOptions {
  readonly offer: Offer;
  readonly version: string;
  readonly pageSize: number;
}

/** One connection, as its handlers see it. */
export interface Connection extends ProtocolOptions {
  readonly server: Server;
  readonly router: Router;
  readonly caller: string;
  /** The least severe log line that the client wants. */
  logLevel(): LoggingLevel;
}

const instructions =
  'Tools are named <provider>_<verb>_<noun>. Before you first use the tools of a provider, read its skill, a resource named skill://<provider>/SKILL.md, if resources/list shows one.';

/** An MCP server for one connection: tools, resources, prompts, completion and logging over what the kernel offers. */
export function createProtocolServer(options: ProtocolOptions, caller: string): Server {
  const { offer, version } = options;
  const server = new Server(
    { name: 'toolkit', version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      instructions,
      jsonSchemaValidator,
    },
  );
  let logLevel: LoggingLevel = 'info';
  server.removeRequestHandler('logging/setLevel');
  const router = new Router(server);
  router.on('logging/setLevel', SetLevelRequestSchema, ({ params }) => {
    logLevel = params.level;
    return {};
  });
  const connection: Connection = { ...options, server, router, caller, logLevel: () => logLevel };
  handleTools(connection);
  const endSubscriptions = handleResources(connection);
  handlePrompts(connection);
  handleCompletion(connection);
  cancelAnyId(server);
  const endChanges = offer.onChange((list) => void announce(server, list).catch(() => {}));
  server.onerror = (error) => offer.kernel.logger.debug('MCP', { error: messageOf(error) });
  server.onclose = () => {
    endChanges();
    endSubscriptions();
  };
  return server;
}

/** The library forgets to cancel the request whose id is 0. */
function cancelAnyId(server: Server): void {
  const running = server as unknown as { readonly _requestHandlerAbortControllers?: ReadonlyMap<RequestId, AbortController> };
  server.setNotificationHandler(CancelledNotificationSchema, ({ params: { requestId, reason } }) => {
    if (requestId !== undefined) running._requestHandlerAbortControllers?.get(requestId)?.abort(reason);
  });
}

function announce(server: Server, list: ListName): Promise<void> {
  if (list === 'tools') return server.sendToolListChanged();
  return list === 'prompts' ? server.sendPromptListChanged() : server.sendResourceListChanged();
}

/** One validator for everything, in place of one more for every connection. */
const jsonSchemaValidator = {
  getValidator:
    <T>(schema: object) =>
    (input: unknown) => {
      const issues = checkValue(schema as Readonly<Record<string, unknown>>, input);
      if (issues.length === 0) return { valid: true as const, data: input as T, errorMessage: undefined };
      return {
        valid: false as const,
        data: undefined,
        errorMessage: issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '),
      };
    },
};
