import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { type CallOutput, isPlainObject, type Kernel, type Progress, type Tool, ToolkitError } from '../../kernel/index.ts';
import { approvedArgument, listTool } from './tool-listing.ts';

export interface ProtocolOptions {
  readonly kernel: Kernel;
  readonly version: string;
  readonly isVisible: (tool: Tool) => boolean;
  readonly caller: string;
}

/** An MCP server for one connection: its handlers list and call the tools of the kernel. */
export function createProtocolServer({ kernel, version, isVisible, caller }: ProtocolOptions): Server {
  const server = new Server({ name: 'toolkit', version }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...kernel.registry.tools.values()].filter(isVisible).map(listTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { [approvedArgument]: approved, ...parameters } = params.arguments ?? {};
    const { progressToken } = params._meta ?? {};
    const onProgress = (progress: Progress): void => {
      if (progressToken === undefined) return;
      void extra.sendNotification({ method: 'notifications/progress', params: { progressToken, ...progress } }).catch(() => {});
    };
    try {
      const request = {
        tool: params.name,
        parameters,
        caller,
        origin: 'model',
        approved: approved === true,
        signal: extra.signal,
        onProgress,
        isVisible,
      } as const;
      return resultOf(await kernel.call(request), kernel.registry.tools.get(params.name));
    } catch (error) {
      if (ToolkitError.is(error) && error.code === 'TOOL_NOT_FOUND') throw new McpError(ErrorCode.InvalidParams, error.message);
      return failureOf(error);
    }
  });
  const stopListening = kernel.onReload(() => void server.sendToolListChanged().catch(() => {}));
  server.onclose = stopListening;
  return server;
}

function resultOf({ output, content }: CallOutput, tool: Tool | undefined): CallToolResult {
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2);
  return {
    content: content === undefined ? [{ type: 'text', text }] : [...content],
    ...(tool?.outputSchema?.['type'] === 'object' && isPlainObject(output) ? { structuredContent: output } : {}),
  };
}

/** A failed call is a result that the model can read, with the structured error in `_meta`. */
function failureOf(thrown: unknown): CallToolResult {
  const error = ToolkitError.is(thrown) ? thrown : new ToolkitError('EXECUTION_FAILED', 'The call failed inside the server.');
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message}` }],
    _meta: { 'toolkit/error': error.toJSON() },
  };
}
