import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CancelledNotificationSchema, type LoggingLevel, type RequestId, SetLevelRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { checkValue, messageOf } from '../../../kernel/index.ts';
import { exposureFor } from '../../shared/exposure/exposure.ts';
import type { ListName } from './catalog.ts';
import { handleCompletion } from './completion.ts';
import type { Connection, Peer, ProtocolOptions } from './connection.ts';
import { handlePrompts } from './prompts.ts';
import { toProtocolError } from './protocol-error.ts';
import { handleResources } from './resources.ts';
import { Router } from './router.ts';
import { handleTools } from './tools.ts';

const instructions =
  'Tools are named <provider>_<verb>_<noun>. Before you first use the tools of a provider, read its skill, a resource named skill://<provider>/SKILL.md, if resources/list shows one.';

/** An MCP server for one connection: answers requests for tools, resources, prompts, completion and logging out of the catalog. */
export function createProtocolServer(options: ProtocolOptions, peer: Peer): Server {
  const { catalog, expose, version, shares } = options;
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
  const router = new Router(server, () => {
    try {
      return shares.take(peer.tenant, 'requests');
    } catch (error) {
      throw toProtocolError(catalog.kernel, error);
    }
  });
  router.on('logging/setLevel', SetLevelRequestSchema, ({ params }) => {
    logLevel = params.level;
    return {};
  });
  const exposure = () => exposureFor(expose, server.getClientVersion()?.name, () => catalog.size);
  const connection: Connection = { ...options, ...peer, server, router, logLevel: () => logLevel, exposure };
  handleTools(connection);
  const endSubscriptions = handleResources(connection);
  handlePrompts(connection);
  handleCompletion(connection);
  cancelAnyId(server);
  const stopAnnouncing = catalog.onChange((list) => void sendListChanged(server, list).catch(() => {}), exposure);
  server.onerror = (error) => catalog.kernel.logger.debug('MCP', { error: messageOf(error) });
  server.onclose = () => {
    stopAnnouncing();
    endSubscriptions();
  };
  return server;
}

/** The SDK does not cancel a request whose id is 0, because it takes that id for a missing one. */
function cancelAnyId(server: Server): void {
  const running = server as unknown as { readonly _requestHandlerAbortControllers?: ReadonlyMap<RequestId, AbortController> };
  server.setNotificationHandler(CancelledNotificationSchema, ({ params: { requestId, reason } }) => {
    if (requestId !== undefined) running._requestHandlerAbortControllers?.get(requestId)?.abort(reason);
  });
}

function sendListChanged(server: Server, list: ListName): Promise<void> {
  if (list === 'tools') return server.sendToolListChanged();
  return list === 'prompts' ? server.sendPromptListChanged() : server.sendResourceListChanged();
}

/** The validator of the kernel, shared by all connections: by default the SDK makes one of its own for each. */
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
