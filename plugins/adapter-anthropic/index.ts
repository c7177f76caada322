import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import type { ContentBlock, Tool, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Static } from 'typebox';
import { ModelOptionsSchema } from '../shared/model-tools/model-options.ts';
import { ModelTools, type RunOptions, type ToolHost } from '../shared/model-tools/model-tools.ts';
import { blocksOf } from './blocks.ts';

export type { ApprovalQuestion, HostCredentials, OnApproval } from '../shared/model-tools/model-options.ts';
export type { RunOptions, ToolHost } from '../shared/model-tools/model-tools.ts';

export type AnthropicOptions = Static<typeof ModelOptionsSchema>;

/** Tools for `client.messages.create`. */
export interface AnthropicTools {
  /** The current tools: read them for every request, so that a reload takes effect. */
  readonly tools: Tool[];
  /**
   * Runs the `tool_use` blocks of `message.content` concurrently. Resolves to one result for each, in order. Does not throw for a failed tool: its
   * result has `is_error` and the reason.
   */
  run(content: readonly ContentBlock[], options?: RunOptions): Promise<ToolResultBlockParam[]>;
  /** The same tools for `client.beta.messages.toolRunner`, which runs them itself. */
  readonly runnable: BetaRunnableTool<unknown>[];
}

/**
 * Returns the tools of a Toolkit or kernel for the Messages API of Anthropic. Throws CONFIG_INVALID for invalid options.
 * @example
 * const { tools, run } = anthropicTools(toolkit, { providers: ['github'] });
 * const message = await client.messages.create({ model, max_tokens, messages, tools });
 * messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: await run(message.content) });
 */
export function anthropicTools(host: ToolHost, options: AnthropicOptions = {}): AnthropicTools {
  const tools = new ModelTools(host, options, { functionName: 'anthropicTools', schema: ModelOptionsSchema });
  const resultOf = async (
    name: string,
    input: unknown,
    { id, ...runOptions }: RunOptions & { readonly id: string },
  ): Promise<ToolResultBlockParam> => {
    const result = await tools.call(name, input, runOptions);
    return {
      type: 'tool_result',
      tool_use_id: id,
      content: blocksOf(result.content),
      ...(result.error === undefined ? {} : { is_error: true }),
    };
  };
  const listed = (): Tool[] =>
    tools.list.map(({ name, description = '', inputSchema }) => ({ name, description, input_schema: inputSchema as Tool['input_schema'] }));
  return {
    get tools() {
      return listed();
    },
    run: (content, runOptions = {}) =>
      Promise.all(
        content.filter((block) => block.type === 'tool_use').map(({ id, name, input }) => resultOf(name, input, { ...runOptions, id })),
      ),
    get runnable() {
      return listed().map((tool) => ({
        ...tool,
        type: 'custom' as const,
        parse: (input: unknown) => input,
        run: async (input: unknown, context?: { readonly signal?: AbortSignal | null | undefined }) => {
          const { ToolError } = await import('@anthropic-ai/sdk/lib/tools/ToolError');
          const { content = [], is_error: isError } = await resultOf(tool.name, input, { id: '', signal: context?.signal ?? undefined });
          if (isError === true) throw new ToolError(content as never);
          return content as never;
        },
      }));
    },
  };
}
