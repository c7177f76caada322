import type { ModelMessage } from 'ai';
import { LRUCache } from 'lru-cache';
import { ToolkitError } from '../../kernel/index.ts';
import type { ApprovalQuestion } from '../shared/model-tools/model-options.ts';
import type { Approve, ModelTools } from '../shared/model-tools/model-tools.ts';

/** Told of each question whose answer the framework waits for. */
export type OnQuestion = (question: ApprovalQuestion & { readonly toolCallId: string }) => void;

/** Which questions were asked and wait for their answer, by an opaque key. */
export interface AskedStore {
  add(key: string): Promise<void> | void;
  /** True where the key is there, which is not there any more then: an answer counts once. */
  take(key: string): Promise<boolean> | boolean;
}

/** Questions that wait for an answer. */
const mostAsked = 10_000;

/**
 * The approval requests of the framework. It asks before a call and runs the tool when a person agreed, in the next run; what was asked about is
 * kept in between, so that a yes holds for exactly that, once.
 */
export class Approvals {
  readonly #tools: ModelTools;
  readonly #asked: AskedStore;
  readonly #onQuestion: OnQuestion | undefined;

  constructor(tools: ModelTools, asked: AskedStore = new AskedHere(), onQuestion?: OnQuestion) {
    this.#tools = tools;
    this.#asked = asked;
    this.#onQuestion = onQuestion;
  }

  /** Whether a person must be asked about a call. The framework wants to know it again before it runs what was approved. */
  async isNeeded(
    tool: string,
    input: unknown,
    { toolCallId, messages }: { toolCallId: string; messages: ModelMessage[] },
  ): Promise<boolean> {
    const questions = await this.#tools.questionsAbout(tool, input);
    if (wasAsked(messages, toolCallId)) return true;
    for (const question of questions) {
      await this.#asked.add(keyOf(toolCallId, question));
      this.#onQuestion?.({ ...question, toolCallId });
    }
    return questions.length > 0;
  }

  /** Answers the questions of a call that the framework runs: with yes where these were asked. Throws APPROVAL_REQUIRED for others. */
  approveFor(toolCallId: string): Approve {
    return async (question) => {
      if (await this.#asked.take(keyOf(toolCallId, question))) return true;
      throw new ToolkitError(
        'APPROVAL_REQUIRED',
        'these tools have not asked exactly this before, or the answer was used. Call it again, so that the person is asked',
      );
    };
  }
}

function keyOf(toolCallId: string, { digest }: { readonly digest: string }): string {
  return JSON.stringify([toolCallId, digest]);
}

/** True where the conversation has an approval request for this call: what would be asked now was not shown to anybody. */
function wasAsked(messages: readonly ModelMessage[], toolCallId: string): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some((part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId),
  );
}

class AskedHere implements AskedStore {
  readonly #keys = new LRUCache<string, true>({ max: mostAsked });

  add(key: string): void {
    this.#keys.set(key, true);
  }

  take(key: string): boolean {
    return this.#keys.delete(key);
  }
}
