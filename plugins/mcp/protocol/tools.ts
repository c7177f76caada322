import { setImmediate } from 'node:timers/promises';
import { type CallToolResult, ErrorCode, type JSONRPCRequest, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  approvedArgument,
  type CallOutput,
  type CutOutput,
  describeValue,
  isPlainObject,
  type Progress,
  type Tool,
  ToolkitError,
} from '../../../kernel/index.ts';
import { structuredOutput } from '../../shared/exposure/structured-output.ts';
import { callClient } from './call-client.ts';
import type { Connection } from './connection.ts';
import { listPage } from './list-page.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Extra } from './router.ts';

/** `tools/list` and `tools/call`. */
export function handleTools(connection: Connection): void {
  const { router, catalog, pageSize } = connection;
  router.on('tools/list', ListToolsRequestSchema, ({ params }) => {
    const { items, nextCursor } = listPage(catalog.tools(connection.exposure()), params?.cursor, pageSize);
    return { tools: [...items], ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  router.onRaw('tools/call', (request, extra) => callTool(connection, request, extra));
}

async function callTool(connection: Connection, { params }: JSONRPCRequest, extra: Extra): Promise<CallToolResult> {
  const { catalog, caller, tenant, shares } = connection;
  const { kernel, isVisible, isListed } = catalog;
  const { name, arguments: input = {}, _meta } = params ?? {};
  if (typeof name !== 'string') throw malformed('"name"', 'the name of a tool', name);
  if (!isPlainObject(input)) throw malformed('"arguments"', 'an object', input);
  const { [approvedArgument]: approved, ...parameters } = input;
  const token = _meta?.progressToken;
  const progress = token === undefined ? undefined : new ProgressSender(extra, token);
  let end = (): void => {};
  try {
    end = shares.take(tenant, 'requests');
    const output = await kernel.call({
      tool: name,
      parameters,
      caller,
      tenant,
      origin: 'model',
      approved: approved === true,
      ...(typeof approved === 'string' ? { approval: approved } : {}),
      signal: extra.signal,
      ...(progress === undefined ? {} : { onProgress: (reported) => progress.send(reported) }),
      client: callClient(connection, extra, name),
      isVisible,
      isListed,
    });
    return resultOf(output, kernel.registry.tools.get(name));
  } catch (error) {
    if (ToolkitError.is(error) && error.code === 'TOOL_NOT_FOUND' && error.details.tool === name) {
      throw new ProtocolError(ErrorCode.InvalidParams, error.message);
    }
    return failureOf(error);
  } finally {
    end();
    // Official clients forget who waits for progress when they read the answer, a failure as well: it does not come in one piece with it.
    if (progress?.hasSent === true) await setImmediate();
  }
}

function malformed(what: string, expected: string, received: unknown): ProtocolError {
  return new ProtocolError(
    ErrorCode.InvalidParams,
    `${what} of tools/call is wrong: expected ${expected}, received ${describeValue(received)}.`,
  );
}

/** Progress must grow with every notification (MCP, Progress): a notification that brings no larger number raises it by this much. */
const leastStep = 1e-6;

class ProgressSender {
  readonly #extra: Extra;
  readonly #progressToken: string | number;
  #last: number | undefined;

  constructor(extra: Extra, progressToken: string | number) {
    this.#extra = extra;
    this.#progressToken = progressToken;
  }

  get hasSent(): boolean {
    return this.#last !== undefined;
  }

  send({ progress, total, message }: Progress): void {
    const reported = Number.isFinite(progress) ? (progress as number) : undefined;
    const last = this.#last;
    if (last === undefined) this.#last = reported ?? 0;
    else
      this.#last = reported !== undefined && reported > last ? reported : last + Math.max(leastStep, Math.abs(last) * Number.EPSILON * 2);
    const params = {
      progressToken: this.#progressToken,
      progress: this.#last,
      ...(Number.isFinite(total) ? { total: total as number } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    };
    void this.#extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  }
}

function resultOf({ output, content, structured, error }: CallOutput, tool: Tool | undefined): CallToolResult {
  const text = (): string => (typeof output === 'string' ? output : JSON.stringify(output, null, 2));
  const structuredContent = structuredOutput(tool, structured === undefined ? output : structured.output);
  const _meta = {
    ...(error === undefined ? {} : { 'toolkit/error': error.toJSON() }),
    ...(structuredContent === undefined || structured === undefined ? {} : { 'toolkit/cut': cutMeta(structured) }),
  };
  return {
    ...(error === undefined ? {} : { isError: true }),
    ...(Object.keys(_meta).length === 0 ? {} : { _meta }),
    content: content === undefined ? [{ type: 'text', text: text() }] : ([...content] as CallToolResult['content']),
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
}

/** What is missing in `structuredContent`, and where the whole is. */
function cutMeta({ output: _output, ...where }: CutOutput): Record<string, unknown> {
  return where;
}

/** A failed call is a result that the model can read, with the structured error in `_meta`. */
function failureOf(thrown: unknown): CallToolResult {
  const error = ToolkitError.is(thrown) ? thrown : new ToolkitError('EXECUTION_FAILED', 'The call failed inside the server.');
  const { retryAfterMs } = error.details;
  const wait = retryAfterMs === undefined || !error.retryable ? '' : ` Wait ${Math.ceil(retryAfterMs / 1000)} s before calling again.`;
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message}${wait}` }],
    _meta: { 'toolkit/error': error.toJSON() },
  };
}
