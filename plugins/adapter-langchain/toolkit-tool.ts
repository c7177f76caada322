import { dispatchCustomEvent } from '@langchain/core/callbacks/dispatch';
import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import { type MessageContent, ToolMessage } from '@langchain/core/messages';
import { patchConfig, type RunnableConfig } from '@langchain/core/runnables';
import { StructuredTool } from '@langchain/core/tools';
import { type ContentPart, type JsonSchema, type Progress, ToolkitError } from '../../kernel/index.ts';
import type { ListedTool } from '../shared/mcp-sdk/types.ts';
import { type ModelResult, partText, textOf } from '../shared/model-tools/model-result.ts';
import type { ModelTools, RunOptions } from '../shared/model-tools/model-tools.ts';
import type { ApprovalInterrupts } from './approval-interrupts.ts';

/** The config of a tool run, with the members that LangGraph adds. */
interface ToolConfig extends RunnableConfig {
  readonly toolCall?: { readonly id?: string };
  readonly writer?: (chunk: unknown) => void;
}

/** One tool for LangChain. */
export class ToolkitTool extends StructuredTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly #tools: ModelTools;
  readonly #interruptions: ApprovalInterrupts | undefined;

  constructor({ name, description = '', inputSchema }: ListedTool, tools: ModelTools, interruptions: ApprovalInterrupts | undefined) {
    // Pass no other options: the framework records constructor arguments in traces.
    super({ responseFormat: 'content_and_artifact' });
    this.name = name;
    this.description = description;
    this.schema = inputSchema;
    this.#tools = tools;
    this.#interruptions = interruptions;
  }

  static override lc_name(): string {
    return 'ToolkitTool';
  }

  /** Skips the framework's validation: errors of the kernel say what to correct, and the kernel accepts null for "not given". */
  override call(...callArguments: never[]): never {
    const unchecked = Object.create(this, { schema: { value: {} }, _call: { value: this._call.bind(this) } }) as this;
    return super.call.apply(unchecked, callArguments as never) as never;
  }

  protected async _call(input: unknown, run?: CallbackManagerForToolRun, config: ToolConfig = {}): Promise<unknown> {
    const id = config.toolCall?.id;
    const options: RunOptions = { signal: config.signal, onProgress: (progress) => this.#reportProgress(progress, run, config) };
    const result =
      this.#interruptions === undefined
        ? await this.#tools.call(this.name, input, options)
        : await this.#interruptions.call(nodeKeyOf(config), id ?? this.name, (approve) =>
            this.#tools.call(this.name, input, { ...options, approve }),
          );
    config.signal?.throwIfAborted();
    return this.#toToolResult(result, id);
  }

  #toToolResult(result: ModelResult, id: string | undefined): unknown {
    const { error, structured, output } = result;
    const artifact = error === undefined ? (structured ?? output) : error.toJSON();
    if (error === undefined) return [contentOf(result), artifact];
    const content = textOf(result);
    if (id === undefined) throw new ToolkitError(error.code, content, error.details, { cause: error });
    return [new ToolMessage({ status: 'error', content, artifact, tool_call_id: id, name: this.name }), undefined];
  }

  /** Reports progress to listeners of event streams, and in LangGraph of custom streams. */
  #reportProgress(progress: Progress, run: CallbackManagerForToolRun | undefined, config: ToolConfig): void {
    const payload = { tool: this.name, ...progress };
    config.writer?.({ type: 'toolkit/progress', ...payload });
    const child = run?.getChild();
    if (child !== undefined) dispatchCustomEvent('toolkit/progress', payload, patchConfig(config, { callbacks: child })).catch(() => {});
  }
}

/** Returns the thread and checkpoint namespace of a node run in LangGraph. */
function nodeKeyOf({ configurable = {} }: ToolConfig): string {
  return JSON.stringify([configurable['thread_id'], configurable['checkpoint_ns']]);
}

function contentOf(result: ModelResult): MessageContent {
  return result.content.some(({ type }) => type === 'image') ? result.content.map(blockOf) : textOf(result);
}

function blockOf(part: ContentPart): { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } } {
  if (part.type !== 'image') return { type: 'text', text: partText(part) };
  return { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
}
