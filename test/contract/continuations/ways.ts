import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { aiSdkTools } from '../../../plugins/adapter-ai-sdk/index.ts';
import { anthropicTools } from '../../../plugins/adapter-anthropic/index.ts';
import { langchainTools } from '../../../plugins/adapter-langchain/index.ts';
import { openaiTools } from '../../../plugins/adapter-openai/index.ts';
import { connect } from '../../plugins/mcp/support/client.ts';
import { ModernClient } from '../../plugins/mcp/support/modern-client.ts';
import { answerIn, type Call } from './follow.ts';

interface Way {
  readonly name: string;
  open(kernel: Kernel): Promise<Call>;
}

type Texts = readonly { readonly type: string; readonly text?: string }[];

/** The texts of a result, whose JSON is that of what is sent as data. */
function textIn(result: Pick<CallToolResult, 'content' | 'structuredContent' | 'isError'>): string {
  const text = (result.content as Texts).flatMap((part) => part.text ?? []).join('\n\n');
  if (result.isError === true) throw new Error(text);
  const { structuredContent: data } = result;
  if (data !== undefined) expect([data, (data as { output?: unknown }).output]).to.deep.include(answerIn(text).output);
  return text;
}

const mcp2025 = async (kernel: Kernel): Promise<Call> => {
  const { call } = await connect(kernel);
  return async (tool, parameters) => textIn(await call(tool, parameters));
};

const mcp2026 = async (kernel: Kernel): Promise<Call> => {
  const client = await ModernClient.connect(kernel);
  return async (tool, parameters) => textIn((await client.call(tool, parameters)) as CallToolResult);
};

/** The same through the tool that calls others. */
const through =
  (open: Way['open']): Way['open'] =>
  async (kernel) => {
    const call = await open(kernel);
    return (tool, parameters) => call('toolkit_call_tool', { name: tool, arguments: parameters });
  };

/** The ways in which a model calls tools. */
export const ways: readonly Way[] = [
  { name: 'MCP, 2025', open: mcp2025 },
  { name: 'MCP, 2026', open: mcp2026 },
  { name: 'toolkit_call_tool over MCP, 2025', open: through(mcp2025) },
  { name: 'toolkit_call_tool over MCP, 2026', open: through(mcp2026) },
  {
    name: 'langchainTools',
    open: async (kernel) => {
      const tools = langchainTools(kernel);
      return async (tool, parameters) => String(await tools.find(({ name }) => name === tool)?.invoke(parameters));
    },
  },
  {
    name: 'aiSdkTools',
    open: async (kernel) => {
      const tools = aiSdkTools(kernel, { needsApproval: false });
      return async (name, parameters) => {
        const tool = tools[name];
        let output: unknown;
        const run = tool?.execute?.(parameters, { toolCallId: '1', messages: [] }) as AsyncIterable<unknown>;
        for await (const given of run) output = given;
        const shown = await tool?.toModelOutput?.({ toolCallId: '1', input: parameters, output });
        if (shown?.type === 'content') return shown.value.flatMap((part) => ('text' in part ? part.text : [])).join('\n\n');
        if (shown?.type === 'json') return JSON.stringify(shown.value);
        return shown?.type === 'text' ? shown.value : Promise.reject(new Error(JSON.stringify(shown)));
      };
    },
  },
  {
    name: 'openaiTools',
    open: async (kernel) => {
      const { run } = openaiTools(kernel);
      return async (name, parameters) => {
        const [answer] = await run([{ type: 'function_call', call_id: '1', name, arguments: JSON.stringify(parameters) }]);
        return String(answer?.output);
      };
    },
  },
  {
    name: 'anthropicTools',
    open: async (kernel) => {
      const { run } = anthropicTools(kernel);
      return async (name, input) => {
        const [answer] = await run([{ type: 'tool_use', id: '1', name, input } as never]);
        return ((answer?.content ?? []) as Texts).flatMap(({ text }) => text ?? []).join('\n\n');
      };
    },
  },
];
