import { type ApprovalDecision, type ApprovalRequest, type CallContext, ToolkitError } from '../../kernel/index.ts';
import { approvalSubject } from '../shared/approval/approval-subject.ts';
import { type HumanRequest, humanRequest } from '../shared/approval/human-request.ts';
import type { ApprovalTokens } from './approval-tokens.ts';

/** The host's function counts as one name, whoever answers behind it. */
const decider = { way: 'onApproval', name: 'onApproval' } as const;

export interface GateRequest extends HumanRequest {
  /**
   * Strict mode only: returns the approval token of this call, the same each time, for a person who decides after the call has ended. Pass it on only
   * after a yes. The caller sends it with the same call (over MCP as `_toolkit_approved`). It is valid once, until it expires. Throws
   * APPROVAL_DENIED when this request was answered already.
   */
  readonly token?: () => string;
}

/**
 * Asks a person in the host's own way. True runs the call, undefined leaves it undecided, anything else refuses it. `signal` aborts when the
 * call has ended without an answer; a later answer is ignored.
 */
export type OnApproval = (request: GateRequest, signal: AbortSignal) => Promise<boolean | undefined> | boolean | undefined;

/** Asks the host, showing `shown`. With `tokens`, the request may also be answered later, by a token that is bound to the subject. */
export async function askHost(
  onApproval: OnApproval,
  request: ApprovalRequest,
  { signal, tenant, isTrial }: CallContext,
  tokens?: ApprovalTokens,
  shown: HumanRequest = humanRequest(request),
  subjectOf = approvalSubject,
): Promise<ApprovalDecision | undefined> {
  if (isTrial) return { approved: true, by: 'trial' };
  const ticket = tokens === undefined ? undefined : new ApprovalTicket(tokens, await subjectOf(request), request.call.tool.name, tenant);
  const hostRequest = { ...shown, ...(ticket === undefined ? {} : { token: () => ticket.token() }) };
  const answer: unknown = await onApproval(hostRequest, signal);
  signal.throwIfAborted();
  if (answer === undefined) return undefined;
  const isOpen = (await ticket?.close()) ?? true;
  if (answer === true && !isOpen)
    return { approved: false, by: 'onApproval', reason: 'the approval token of this request is used already', decider };
  return { approved: answer === true, by: 'onApproval', decider };
}

/** Makes one request one approval: by its answer or by its token, whichever comes first. */
class ApprovalTicket {
  readonly #tokens: ApprovalTokens;
  readonly #subject: string;
  readonly #tool: string;
  readonly #tenant: string;
  #token: string | undefined;
  #isClosed = false;

  constructor(tokens: ApprovalTokens, subject: string, tool: string, tenant: string) {
    this.#tokens = tokens;
    this.#subject = subject;
    this.#tool = tool;
    this.#tenant = tenant;
  }

  token(): string {
    if (this.#isClosed)
      throw new ToolkitError(
        'APPROVAL_DENIED',
        `There is no token for this call of "${this.#tool}": it was answered. Let it be called again.`,
        {
          tool: this.#tool,
        },
      );
    this.#token ??= this.#tokens.issue(this.#subject, this.#tenant);
    return this.#token;
  }

  /** Invalidates the token. False when it was used before. */
  async close(): Promise<boolean> {
    this.#isClosed = true;
    if (this.#token === undefined) return true;
    return [undefined, 'expired'].includes(await this.#tokens.consume(this.#token, this.#subject));
  }
}
