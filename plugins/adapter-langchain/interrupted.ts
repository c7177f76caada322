import { AsyncResource } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { describeValue, isPlainObject, ToolkitError } from '../../kernel/index.ts';
import type { ApprovalQuestion } from '../shared/model-tools/model-options.ts';
import type { ModelResult } from '../shared/model-tools/model-result.ts';
import type { Approve } from '../shared/model-tools/model-tools.ts';

/** `interrupt` of @langchain/langgraph: throws the first time, then returns the value that the graph is resumed with. */
export type Interrupt = (value: ApprovalInterrupt) => unknown;

/** Value that a graph stops with when a call needs a person. Secrets are masked. */
export interface ApprovalInterrupt extends Pick<ApprovalQuestion, 'message' | 'request'> {
  readonly type: 'toolkit/approval';
  /** Id of this question; the answer must have the same. */
  readonly id: string;
}

/** Value to resume the graph with: `new Command({ resume: { id, approved: true } })`. */
export interface ApprovalAnswer {
  /** Id of the `ApprovalInterrupt`. An answer to another question is ignored, and the person is asked again. */
  readonly id: string;
  readonly approved: boolean;
}

/** Maximum number of approved calls whose results are cached, because their node may run again. */
const mostKept = 1000;

/** Approval interrupts of the tool calls of a graph. */
export class Interruptions {
  readonly #interrupt: Interrupt;
  readonly #kept = new LRUCache<string, Promise<ModelResult>>({ max: mostKept });

  constructor(interrupt: Interrupt) {
    this.#interrupt = interrupt;
  }

  /**
   * Makes a call that interrupts the graph for each question. An approved call runs once: when its node runs again, because another of its calls has
   * interrupted the graph, it gets the cached result. `nodeKey` identifies the node run: thread and checkpoint namespace.
   */
  async call(place: string, callId: string, make: (approve: Approve) => Promise<ModelResult>): Promise<ModelResult> {
    // The framework finds the graph by the asynchronous context of the tool.
    const interrupt = AsyncResource.bind(this.#interrupt);
    const keys: string[] = [];
    let stopped: { readonly thrown: unknown } | undefined;
    let known: Promise<ModelResult> | undefined;
    let end: (result: ModelResult) => void = () => {};
    const running = new Promise<ModelResult>((resolve) => {
      end = resolve;
    });
    const result = await make(async ({ message, request, digest }) => {
      const id = `${callId} ${digest}`;
      let approved: boolean;
      try {
        approved = answerTo({ type: 'toolkit/approval', id, message, request }, interrupt);
      } catch (thrown) {
        if (!ToolkitError.is(thrown)) stopped = { thrown };
        throw thrown;
      }
      const key = `${place} ${id}`;
      known = approved ? this.#kept.get(key) : undefined;
      if (known !== undefined) return undefined;
      if (approved) this.#kept.set(key, running);
      if (approved) keys.push(key);
      return approved;
    });
    if (stopped === undefined && known === undefined) {
      end(result);
      return result;
    }
    // The call has not run: when the graph goes on, the same questions are answered again.
    for (const key of keys) this.#kept.delete(key);
    if (stopped !== undefined) throw (stopped as { readonly thrown: unknown }).thrown;
    return known ?? result;
  }
}

/** Returns the answer to this question, skipping answers to others. Throws the interrupt that stops the graph. */
function answerTo(question: ApprovalInterrupt, interrupt: Interrupt): boolean {
  for (;;) {
    const answer = interrupt(question);
    if (!isPlainObject(answer) || typeof answer['id'] !== 'string' || typeof answer['approved'] !== 'boolean')
      throw new ToolkitError(
        'APPROVAL_REQUIRED',
        `the graph was resumed with ${describeValue(answer)}, and expected { id, approved } with the id of the interrupt`,
      );
    if (answer['id'] === question.id) return answer['approved'];
  }
}
