import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import {
  approvedArgument,
  type CallOutput,
  type CutOutput,
  isPlainObject,
  LongWork,
  type Progress,
  type Tool,
  ToolkitError,
} from '../../../../kernel/index.ts';
import { failureFacts, failureText, outputText, structuredOutput } from '../../../shared/exposure/tool-output.ts';
import { errorCodes, type Parameters, serializeOnce } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { CallToolResult } from '../../../shared/mcp-sdk/types.ts';
import { callClient } from '../asking/call-client.ts';
import { listPage } from '../catalog/list-page.ts';
import type { Connection } from '../clients/connection.ts';
import type { Exchange } from '../clients/exchange.ts';
import { missingCapability } from '../errors.ts';
import { tasksCapability } from '../tasks/extension.ts';
import { isMeta, ListParams, listCaching, type Method, method, paramsOf } from './method.ts';

const CallParams = paramsOf({ name: Type.String(), arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())) });

/** Lists and calls tools. */
export const toolMethods: Readonly<Record<string, Method>> = {
  'tools/list': method({
    params: ListParams,
    fits: ({ cursor, _meta }) => (cursor === undefined || typeof cursor === 'string') && isMeta(_meta),
    caching: listCaching,
    answer: listTools,
  }),
  'tools/call': method({
    params: CallParams,
    fits: ({ name, arguments: input = {}, _meta }) =>
      typeof name === 'string' && isPlainObject(input) && (_meta === undefined || isMeta(_meta)),
    // `callTool` counts its request itself: when too many run, the model gets a result that it can read.
    isCounted: false,
    mayAsk: true,
    answer: callTool,
  }),
};

/** Returns a page of tools. A promise where many entries must be built first. */
export function listTools(
  { catalog, exposure, pageSize }: Connection,
  { cursor }: Type.Static<typeof ListParams>,
): object | Promise<object> {
  const list = catalog.tools(exposure);
  const known = cursor === undefined ? firstPages.get(list) : undefined;
  if (known?.pageSize === pageSize) return known.answer;
  const { page, nextCursor } = listPage(list.tools, ({ name }) => name, { cursor, pageSize });
  const answer = (): object => {
    const made = { tools: page.map(list.cachedEntry), ...(nextCursor === undefined ? {} : { nextCursor }) };
    if (cursor === undefined) firstPages.set(list, { pageSize, answer: serializeOnce(made) });
    return made;
  };
  return makeAll(page, list.cachedEntry)?.then(answer) ?? answer();
}

/** Builds the entries of these tools. Returns a promise where that takes long, and yields to the event loop meanwhile. */
function makeAll(tools: readonly Tool[], kept: (tool: Tool) => object, work = new LongWork()): Promise<void> | undefined {
  for (const [place, tool] of tools.entries()) {
    kept(tool);
    if (work.isDue) return work.yieldToEventLoop().then(() => makeAll(tools.slice(place + 1), kept, work));
  }
  return undefined;
}

/** First page of a list, which every client requests. Cached as long as the list exists. */
const firstPages = new WeakMap<object, { readonly pageSize: number; readonly answer: object }>();

/** Runs a call. Returns the result at once when the call waits for nothing. */
function callTool(
  connection: Connection,
  { name, arguments: input = {}, _meta }: Type.Static<typeof CallParams>,
  exchange: Exchange,
): CallToolResult | Promise<CallToolResult> {
  const { catalog, caller, tenant, shares, revision } = connection;
  const { kernel, isVisible, isListed } = catalog;
  const { approved, parameters } = withoutApproval(input);
  const token = _meta?.progressToken;
  const progress = token === undefined ? undefined : new ProgressSender(exchange, token);
  let end = (): void => {};
  const succeed = (output: CallOutput): CallToolResult => {
    end();
    return resultOf(output);
  };
  const fail = (error: unknown): CallToolResult => {
    end();
    if (ToolkitError.is(error) && error.code === 'TOOL_NOT_FOUND' && error.details.tool === name) {
      throw new RpcError(errorCodes.invalidParams, error.message);
    }
    if (revision.hasInputRounds) refuseIncapable(error);
    return failureOf(error);
  };
  try {
    end = shares.take(tenant, 'requests');
    const output = kernel.start({
      tool: name,
      parameters,
      caller,
      tenant,
      // A session's share ends with the session; its accounts stay.
      accountTenant: caller,
      trace: exchange.context.span,
      origin: 'model',
      isHeld: true,
      approved: approved === true,
      ...(typeof approved === 'string' ? { approval: approved } : {}),
      signal: () => exchange.signal,
      ...(progress === undefined ? {} : { onProgress: (reported) => progress.send(reported) }),
      // Created at its first use: few calls need it.
      get client() {
        return callClient(connection, exchange, name);
      },
      isVisible,
      isListed,
    });
    if (output instanceof Promise) return output.then(succeed, fail).then((result) => afterProgress(progress, result));
    return afterProgress(progress, succeed(output));
  } catch (error) {
    return afterProgress(progress, fail(error));
  }
}

function withoutApproval(input: Parameters): { readonly approved?: unknown; readonly parameters: Parameters } {
  if (!Object.hasOwn(input, approvedArgument)) return { parameters: input };
  const { [approvedArgument]: approved, ...parameters } = input;
  return { approved, parameters };
}

/**
 * Delays a result that follows progress, so that both do not arrive in one chunk: official clients drop the progress listener when
 * they read the response.
 */
function afterProgress(progress: ProgressSender | undefined, result: CallToolResult): CallToolResult | Promise<CallToolResult> {
  return progress?.hasSent === true ? setImmediate(result) : result;
}

/** Minimum increase of progress between two notifications. Progress must grow (MCP, Progress), even if the tool reports no increase. */
const minProgressStep = 1e-6;

class ProgressSender {
  readonly #exchange: Exchange;
  readonly #progressToken: string | number;
  #last: number | undefined;

  constructor(exchange: Exchange, progressToken: string | number) {
    this.#exchange = exchange;
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
      this.#last =
        reported !== undefined && reported > last ? reported : last + Math.max(minProgressStep, Math.abs(last) * Number.EPSILON * 2);
    const params = {
      progressToken: this.#progressToken,
      progress: this.#last,
      ...(Number.isFinite(total) ? { total: total as number } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    };
    this.#exchange.notify('notifications/progress', params);
  }
}

function resultOf({ tool, output, content, structured, meta, error }: CallOutput): CallToolResult {
  const shown = structured === undefined ? output : structured.output;
  const structuredContent = meta['isStructured'] === true ? shown : structuredOutput(tool, shown);
  const _meta = {
    ...foreignMeta(meta['_meta']),
    ...(error === undefined ? {} : { 'toolkit/error': error.toJSON() }),
    ...(meta['account'] === undefined ? {} : { 'toolkit/account': meta['account'] }),
    ...(meta['replaced'] === undefined ? {} : { 'toolkit/replaced': meta['replaced'] }),
    ...(structuredContent === undefined || structured === undefined ? {} : { 'toolkit/cut': cutMeta(structured) }),
  };
  return {
    ...(error === undefined ? {} : { isError: true }),
    ...(Object.keys(_meta).length === 0 ? {} : { _meta }),
    content: content === undefined ? [{ type: 'text', text: outputText(output) }] : ([...content] as CallToolResult['content']),
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as Record<string, unknown> }),
  };
}

/** Returns the `_meta` that a service gave, without members in this program's own namespace. */
function foreignMeta(meta: unknown): Record<string, unknown> {
  return isPlainObject(meta) ? Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith('toolkit/'))) : {};
}

/** Describes which part of `structuredContent` was cut, and where the whole output is. */
function cutMeta({ output: _output, ...where }: CutOutput): Record<string, unknown> {
  return where;
}

/** Names of the required client capabilities in the protocol. */
const capabilityOf = {
  elicit: { elicitation: {} },
  elicitUrl: { elicitation: { url: {} } },
  sample: { sampling: {} },
  roots: { roots: {} },
  later: tasksCapability,
} as const;

/** Throws -32021 for a call that needs an undeclared client capability (MCP 2026-07-28, Base Protocol, Capabilities). */
function refuseIncapable(error: unknown): void {
  const { clientLacks = [] } = ToolkitError.is(error) ? error.details : {};
  if (clientLacks.length === 0) return;
  throw missingCapability((error as ToolkitError).message, Object.assign({}, ...clientLacks.map((member) => capabilityOf[member])));
}

/**
 * Returns a failed call as a result that the model can read, with the structured error in `_meta`. A failure with a result of its own
 * (`details.result`) is shown as that result.
 */
function failureOf(thrown: unknown): CallToolResult {
  const error = ToolkitError.is(thrown) ? thrown : new ToolkitError('EXECUTION_FAILED', 'The call failed inside the server.');
  const { result, ...facts } = failureFacts(error);
  const { content, structuredContent, _meta } = isPlainObject(result) ? result : {};
  return {
    isError: true,
    content: Array.isArray(content) ? (content as CallToolResult['content']) : [{ type: 'text', text: failureText(error) }],
    ...(isPlainObject(structuredContent) ? { structuredContent } : {}),
    _meta: { ...foreignMeta(_meta), 'toolkit/error': facts },
  };
}
