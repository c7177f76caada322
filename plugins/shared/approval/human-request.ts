import type { ApprovalRequest, Risk } from '../../../kernel/index.ts';

/** A call that waits for a person to decide. Secrets in the parameters are masked. */
export interface HumanRequest {
  readonly tool: string;
  readonly description: string;
  readonly risk: Risk;
  /** Why a person is asked. */
  readonly reason: string;
  /** What the call runs with, if it runs: nothing can change them any more. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly caller: string;
  /** Absent for a tool that belongs to none. */
  readonly provider?: string;
}

/** What a person is told about a call. */
export function humanRequest({ call, reason, shownParameters }: ApprovalRequest): HumanRequest {
  const { name, description, risk, provider } = call.tool;
  return {
    tool: name,
    description,
    risk,
    reason: reason.message,
    parameters: shownParameters,
    caller: call.caller,
    ...(provider === undefined ? {} : { provider: provider.name }),
  };
}
