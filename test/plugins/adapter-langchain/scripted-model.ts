import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';

type Calls = readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[];

/** A model that makes these calls, one answer each, and then says that it is done. */
export class ScriptedModel extends BaseChatModel {
  readonly #steps: readonly Calls[];
  /** The messages of each request to the model. */
  readonly asked: BaseMessage[][] = [];

  constructor(...steps: readonly Calls[]) {
    super({});
    this.#steps = steps;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const step = this.asked.push(messages);
    const calls = this.#steps[step - 1] ?? [];
    const message = new AIMessage({
      content: calls.length === 0 ? 'done' : '',
      tool_calls: calls.map((call, index) => ({
        ...call,
        args: { ...call.args },
        type: 'tool_call' as const,
        id: `call-${step}-${index}`,
      })),
    });
    return { generations: [{ text: String(message.content), message }] };
  }
}
