import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageToolCall,
  ChatCompletionToolMessageParam,
} from 'openai/resources/chat/completions';
import type { FunctionTool, ResponseInputItem, ResponseOutputItem } from 'openai/resources/responses/responses';
import Type, { type Static } from 'typebox';
import { ModelOptionsSchema, type modelOptions } from '../shared/model-tools/model-options.ts';
import { textOf } from '../shared/model-tools/model-result.ts';
import { ModelTools, type RunOptions, type ToolHost } from '../shared/model-tools/model-tools.ts';
import { type FunctionCall, Functions } from './functions.ts';
import { toResponseOutput } from './output.ts';

export type { ApprovalQuestion, HostCredentials, OnApproval } from '../shared/model-tools/model-options.ts';
export type { RunOptions, ToolHost } from '../shared/model-tools/model-tools.ts';

const ownOptions = {
  /** API that the tools are for. @default 'responses' */
  api: Type.Optional(Type.Enum(['responses', 'chat'])),
  /** Uses strict mode for every tool whose schema allows it. @default true */
  strict: Type.Optional(Type.Boolean()),
};

const OptionsSchema: Type.TObject<typeof modelOptions & typeof ownOptions> = Type.Object(
  { ...ModelOptionsSchema.properties, ...ownOptions },
  { additionalProperties: false },
);

export type OpenaiOptions = Static<typeof OptionsSchema>;

/** Tools for `client.responses.create`. */
export interface ResponsesTools {
  /** The current tools: read them for every request, so that a reload takes effect. */
  readonly tools: FunctionTool[];
  /**
   * Runs the function calls in `response.output` concurrently. Resolves to one output for each, in order. Does not throw for a failed tool: its output
   * has the reason.
   */
  run(items: readonly ResponseOutputItem[], options?: RunOptions): Promise<ResponseInputItem.FunctionCallOutput[]>;
}

/** Tools for `client.chat.completions.create`. */
export interface ChatTools {
  /** The current tools: read them for every request, so that a reload takes effect. */
  readonly tools: ChatCompletionFunctionTool[];
  /** Runs `message.tool_calls` concurrently. Resolves to one message for each, in order. Does not throw for a failed tool. */
  run(calls: readonly ChatCompletionMessageToolCall[] | null | undefined, options?: RunOptions): Promise<ChatCompletionToolMessageParam[]>;
}

/**
 * Returns the tools of a Toolkit or kernel as functions of the OpenAI API. Throws CONFIG_INVALID for invalid options.
 * @example
 * const { tools, run } = openaiTools(toolkit, { providers: ['github'] });
 * const response = await client.responses.create({ model, input, tools });
 * input.push(...response.output, ...(await run(response.output)));
 */
export function openaiTools(host: ToolHost, options: OpenaiOptions & { readonly api: 'chat' }): ChatTools;
export function openaiTools(host: ToolHost, options?: OpenaiOptions & { readonly api?: 'responses' }): ResponsesTools;
export function openaiTools(host: ToolHost, options: OpenaiOptions = {}): ChatTools | ResponsesTools {
  const { api = 'responses', strict = true } = options;
  const tools = new ModelTools(host, options, { functionName: 'openaiTools', schema: OptionsSchema });
  const functions = new Functions(tools, strict);
  return api === 'chat' ? forChat(functions) : forResponses(functions);
}

function forResponses(functions: Functions): ResponsesTools {
  return {
    get tools() {
      return functions.list.map((one): FunctionTool => ({ type: 'function', ...one }));
    },
    run: (items, options = {}) =>
      Promise.all(
        items
          .filter((item) => item.type === 'function_call')
          .map(async (item): Promise<ResponseInputItem.FunctionCallOutput> => {
            const result = await functions.call(item, options);
            return { type: 'function_call_output', call_id: item.call_id, output: toResponseOutput(result) };
          }),
      ),
  };
}

function forChat(functions: Functions): ChatTools {
  return {
    get tools() {
      return functions.list.map((one): ChatCompletionFunctionTool => ({ type: 'function', function: one }));
    },
    run: (calls, options = {}) =>
      Promise.all(
        (calls ?? []).map(async (call): Promise<ChatCompletionToolMessageParam> => {
          const functionCall: FunctionCall =
            call.type === 'function' ? call.function : { name: call.custom.name, arguments: call.custom.input };
          return { role: 'tool', tool_call_id: call.id, content: textOf(await functions.call(functionCall, options)) };
        }),
      ),
  };
}
