import { type ApprovalQuestion, type CallRequest, ToolkitError } from '../../../kernel/index.ts';
import { type CallRecord, onceOf } from './call-record.ts';

/** One run of a recorded call: its request, and the approval question that it raised. */
export class RunningCall {
  readonly controller = new AbortController();
  question: ApprovalQuestion | undefined;
  /** Id of the approval record of this run. */
  approval: string | undefined;
  readonly #record: CallRecord;

  constructor(record: CallRecord) {
    this.#record = record;
  }

  get request(): CallRequest {
    const { tool, parameters, caller, tenant, accountTenant, origin, trace } = this.#record;
    return {
      tool,
      parameters,
      caller,
      origin,
      ...(tenant === undefined ? {} : { tenant }),
      ...(accountTenant === undefined ? {} : { accountTenant }),
      // Without one a new trace: the active span may be that of another call, which woke the queue.
      trace: trace ?? { traceparent: '' },
      once: onceOf(this.#record),
      signal: this.controller.signal,
      client: {
        approve: (question) => this.#decisionOf(question),
        onHeld: (record) => {
          this.approval = record;
        },
      },
    };
  }

  /**
   * Returns the person's decision on this question. A decision counts for one digest and one record only: another definition, other parameters, other
   * code or another rule raise another question. Throws ABORTED when there is no decision yet.
   */
  async #decisionOf(question: ApprovalQuestion): Promise<boolean> {
    const decision = this.#record.decisions.find(({ digest, record }) => digest === question.digest && record === question.record);
    if (decision !== undefined) return decision.approve;
    this.question ??= question;
    throw new ToolkitError('ABORTED', 'A person is asked, and the call runs again with the answer.', { isAsked: true });
  }
}
