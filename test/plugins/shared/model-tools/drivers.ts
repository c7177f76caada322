import type { ContentBlock } from '@anthropic-ai/sdk/resources/messages/messages';
import { ToolMessage } from '@langchain/core/messages';
import type { StructuredTool } from '@langchain/core/tools';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { aiSdkTools } from '../../../../plugins/adapter-ai-sdk/index.ts';
import { anthropicTools } from '../../../../plugins/adapter-anthropic/index.ts';
import { langchainTools } from '../../../../plugins/adapter-langchain/index.ts';
import { openaiTools } from '../../../../plugins/adapter-openai/index.ts';
import type { ModelOptions } from '../../../../plugins/shared/model-tools/model-options.ts';
import type { RunOptions, ToolHost } from '../../../../plugins/shared/model-tools/model-tools.ts';

/** A model that calls one tool, through one framework. */
export interface Driver {
  /** All that the model is told of the tools, by name. */
  readonly listed: Readonly<Record<string, unknown>>;
  /** `input`: what the model gives, an object, or the JSON as it writes it. What it reads of the result. */
  call(name: string, input: object | string, options?: RunOptions): Promise<{ readonly text: string; readonly isError?: boolean }>;
}

type Open = (host: ToolHost, options?: ModelOptions) => Driver;

const jsonOf = (input: object | string): string => (typeof input === 'string' ? input : JSON.stringify(input));

const openai =
  (api: 'responses' | 'chat'): Open =>
  (host, options = {}) => {
    if (api === 'chat') {
      const { tools, run } = openaiTools(host, { ...options, api });
      return {
        listed: Object.fromEntries(tools.map((tool) => [tool.function.name, tool])),
        call: async (name, input, more) => {
          const [answer] = await run([{ type: 'function', id: '1', function: { name, arguments: jsonOf(input) } }], more);
          return { text: JSON.stringify(answer?.content) };
        },
      };
    }
    const { tools, run } = openaiTools(host, options);
    return {
      listed: Object.fromEntries(tools.map((tool) => [tool.name, tool])),
      call: async (name, input, more) => {
        const [answer] = await run([{ type: 'function_call', call_id: '1', name, arguments: jsonOf(input) }], more);
        return { text: JSON.stringify(answer?.output) };
      },
    };
  };

const anthropic: Open = (host, options) => {
  const { tools, run } = anthropicTools(host, options);
  return {
    listed: Object.fromEntries(tools.map((tool) => [tool.name, tool])),
    call: async (name, input, more) => {
      const [answer] = await run([{ type: 'tool_use', id: '1', name, input } as ContentBlock], more);
      return { text: JSON.stringify(answer?.content), isError: answer?.is_error === true };
    },
  };
};

const langchain: Open = (host, options) => {
  const tools = langchainTools(host, options);
  const named = (name: string): StructuredTool | undefined => tools.find((tool) => tool.name === name);
  return {
    listed: Object.fromEntries(tools.map(({ name, description, schema }) => [name, { description, schema }])),
    call: async (name, input, { signal } = {}) => {
      const call = { type: 'tool_call' as const, id: '1', name, args: input as Record<string, unknown> };
      const answer: unknown = await named(name)?.invoke(call, signal === undefined ? {} : { signal });
      if (!ToolMessage.isInstance(answer)) throw new Error('no tool message');
      return { text: JSON.stringify(answer.content), isError: answer.status === 'error' };
    },
  };
};

/** The usage that a scripted model says. */
export const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const aiSdk: Open = (host, options) => {
  const tools = aiSdkTools(host, { needsApproval: false, ...options });
  return {
    listed: Object.fromEntries(Object.entries(tools).map(([name, { description, inputSchema }]) => [name, { description, inputSchema }])),
    call: async (toolName, input, { signal } = {}) => {
      const model = new MockLanguageModelV3({
        doGenerate: [
          {
            content: [{ type: 'tool-call', toolCallId: '1', toolName, input: jsonOf(input) }],
            finishReason: { unified: 'tool-calls', raw: undefined },
            usage,
            warnings: [],
          },
          { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] },
        ],
      });
      await generateText({
        model,
        tools,
        prompt: 'Go on.',
        stopWhen: stepCountIs(2),
        ...(signal === undefined ? {} : { abortSignal: signal }),
      });
      // What the model is given in the second step.
      const content = model.doGenerateCalls[1]?.prompt.findLast(({ role }) => role === 'tool')?.content;
      const [part] = (content ?? []) as unknown as { readonly output: { readonly type: string; readonly value: unknown } }[];
      return { text: JSON.stringify(part?.output.value), isError: part?.output.type.startsWith('error') === true };
    },
  };
};

export const drivers: Readonly<Record<string, Open>> = {
  LangChain: langchain,
  'the AI SDK': aiSdk,
  'OpenAI (Responses)': openai('responses'),
  'OpenAI (Chat Completions)': openai('chat'),
  Anthropic: anthropic,
};
