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
const maxCachedResults = 1000;

/** Approval interrupts of the tool calls of a graph. */
export class ApprovalInterrupts {
  readonly #interrupt: Interrupt;
  readonly #cachedResults = new LRUCache<string, Promise<ModelResult>>({ max: maxCachedResults });

  constructor(interrupt: Interrupt) {
    this.#interrupt = interrupt;
  }

  /**
   * Makes a call that interrupts the graph for each question. An approved call runs once: when its node runs again, because another of its calls has
   * interrupted the graph, it gets the cached result. `nodeKey` identifies the node run: thread and checkpoint namespace.
   */
  async call(nodeKey: string, callId: string, runCall: (approve: Approve) => Promise<ModelResult>): Promise<ModelResult> {
    // The framework finds the graph by the asynchronous context of the tool.
    const interrupt = AsyncResource.bind(this.#interrupt);
    const keys: string[] = [];
    let stopped: { readonly thrown: unknown } | undefined;
    let cached: Promise<ModelResult> | undefined;
    let end: (result: ModelResult) => void = () => {};
    const running = new Promise<ModelResult>((resolve) => {
      end = resolve;
    });
    const result = await runCall(async ({ message, request, digest }) => {
      const id = `${callId} ${digest}`;
      let approved: boolean;
      try {
        approved = waitForAnswer({ type: 'toolkit/approval', id, message, request }, interrupt);
      } catch (thrown) {
        if (!ToolkitError.is(thrown)) stopped = { thrown };
        throw thrown;
      }
      const key = `${nodeKey} ${id}`;
      cached = approved ? this.#cachedResults.get(key) : undefined;
      // Not a new question: nobody may approve a second run.
      if (cached !== undefined) throw new ToolkitError('ABORTED', 'The approved call has run already.', { isWithdrawn: true });
      if (approved) this.#cachedResults.set(key, running);
      if (approved) keys.push(key);
      return approved;
    });
    if (stopped === undefined && cached === undefined) {
      end(result);
      return result;
    }
    // The call has not run: when the graph goes on, the same questions are answered again.
    for (const key of keys) this.#cachedResults.delete(key);
    if (stopped !== undefined) throw (stopped as { readonly thrown: unknown }).thrown;
    return cached ?? result;
  }
}

/** Returns the answer to this question, skipping answers to others. Throws the interrupt that stops the graph. */
function waitForAnswer(question: ApprovalInterrupt, interrupt: Interrupt): boolean {
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
