import { type ApprovalQuestion, type CallRequest, ToolkitError } from '../../../kernel/index.ts';
import type { CallRecord } from './call-record.ts';

/** What makes the call of a record, and what it asked a person who is not there. */
export class RunningCall {
  readonly controller = new AbortController();
  question: ApprovalQuestion | undefined;
  readonly #record: CallRecord;

  constructor(record: CallRecord) {
    this.#record = record;
  }

  get request(): CallRequest {
    const { id, tool, parameters, caller, tenant, origin, effect } = this.#record;
    return {
      tool,
      parameters,
      caller,
      origin,
      ...(tenant === undefined ? {} : { tenant }),
      once: `durable call ${effect} ${id}`,
      signal: this.controller.signal,
      client: { approve: (question) => this.#decisionOf(question) },
    };
  }

  /** A decision counts for what it was given for: another definition, other parameters or other code make another question. */
  async #decisionOf(question: ApprovalQuestion): Promise<boolean> {
    const decision = this.#record.decisions.find(({ digest }) => digest === question.digest);
    if (decision !== undefined) return decision.approve;
    this.question ??= question;
    throw new ToolkitError('ABORTED', 'A person is asked, and the call is made again with the answer.', { isAsked: true });
  }
}
