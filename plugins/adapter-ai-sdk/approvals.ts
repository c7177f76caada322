import type { ModelMessage } from 'ai';
import { LRUCache } from 'lru-cache';
import { ToolkitError } from '../../kernel/index.ts';
import type { ApprovalQuestion } from '../shared/model-tools/model-options.ts';
import type { Approve, ModelTools } from '../shared/model-tools/model-tools.ts';

/** Called with each question that the framework waits for an answer to. */
export type OnQuestion = (question: ApprovalQuestion & { readonly toolCallId: string }) => void;

/** Store of open questions, by an opaque key. */
export interface QuestionStore {
  add(key: string): Promise<void> | void;
  /** Removes a key. True when it was there: an answer is valid once. */
  take(key: string): Promise<boolean> | boolean;
}

/** Maximum number of open questions. */
const maxOpenQuestions = 10_000;

/**
 * The approval requests of the framework. It asks before a call, and runs the tool in the next run if a person agreed. In between the exact question
 * is stored, so that a yes is valid for that question only, and once.
 */
export class ApprovalRequests {
  readonly #tools: ModelTools;
  readonly #openQuestions: QuestionStore;
  readonly #onQuestion: OnQuestion | undefined;

  constructor(tools: ModelTools, openQuestions: QuestionStore = new MemoryQuestionStore(), onQuestion?: OnQuestion) {
    this.#tools = tools;
    this.#openQuestions = openQuestions;
    this.#onQuestion = onQuestion;
  }

  /** True when a call needs approval. The framework asks this again before it runs an approved call. */
  async isNeeded(
    tool: string,
    input: unknown,
    { toolCallId, messages }: { toolCallId: string; messages: ModelMessage[] },
  ): Promise<boolean> {
    const questions = await this.#tools.questionsAbout(tool, input);
    if (wasAsked(messages, toolCallId)) return true;
    for (const question of questions) {
      await this.#openQuestions.add(keyOf(toolCallId, question));
      this.#onQuestion?.({ ...question, toolCallId });
    }
    return questions.length > 0;
  }

  /** Returns a function that approves the open questions of a call. It throws APPROVAL_REQUIRED for any other question. */
  approveFor(toolCallId: string): Approve {
    return async (question) => {
      if (await this.#openQuestions.take(keyOf(toolCallId, question))) return true;
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

/** True when the conversation has an approval request for this call: a question asked now would not have been shown to anyone. */
function wasAsked(messages: readonly ModelMessage[], toolCallId: string): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some((part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId),
  );
}

class MemoryQuestionStore implements QuestionStore {
  readonly #keys = new LRUCache<string, true>({ max: maxOpenQuestions });

  add(key: string): void {
    this.#keys.set(key, true);
  }

  take(key: string): boolean {
    return this.#keys.delete(key);
  }
}
