import { AsyncResource } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { describeValue, isPlainObject, ToolkitError } from '../../kernel/index.ts';
import type { ApprovalQuestion } from '../shared/model-tools/model-options.ts';
import type { ModelResult } from '../shared/model-tools/model-result.ts';
import type { Approve } from '../shared/model-tools/model-tools.ts';

/** `interrupt` of @langchain/langgraph: throws the first time, and returns what the graph is resumed with. */
export type Interrupt = (value: ApprovalInterrupt) => unknown;

/** What a graph stops with, for a call that waits for a person. Secrets are masked. */
export interface ApprovalInterrupt extends Pick<ApprovalQuestion, 'message' | 'request'> {
  readonly type: 'toolkit/approval';
  /** Of this question: the answer has the same. */
  readonly id: string;
}

/** What the graph is resumed with: `new Command({ resume: { id, approved: true } })`. */
export interface ApprovalAnswer {
  /** Of the `ApprovalInterrupt`. An answer to another question counts for nothing: the person is asked again. */
  readonly id: string;
  readonly approved: boolean;
}

/** Calls that were approved and whose results are kept for the case that their node runs again. */
const mostKept = 1000;

/** The tool calls of one graph, as far as a person is asked about them. */
export class Interruptions {
  readonly #interrupt: Interrupt;
  readonly #kept = new LRUCache<string, Promise<ModelResult>>({ max: mostKept });

  constructor(interrupt: Interrupt) {
    this.#interrupt = interrupt;
  }

  /**
   * Makes a call that stops the graph for each question. After a yes it runs once: a node that runs again because another of its calls has
   * stopped the graph gets the result that is there. `place`: the call, and where in which thread it stands.
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
    // It has not run: what was answered so far is answered again when the graph goes on.
    for (const key of keys) this.#kept.delete(key);
    if (stopped !== undefined) throw (stopped as { readonly thrown: unknown }).thrown;
    return known ?? result;
  }
}

/** The answer to this question; those to others are passed over. Throws what stops the graph. */
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
