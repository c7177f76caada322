import type { Tool } from '../../definition/schema/tool.ts';
import type { ToolkitError } from '../../errors.ts';
import type { CallOrigin } from '../draft.ts';
import type { CallOutput } from '../output.ts';
import type { ApprovalDecision, Verdict } from '../verdict.ts';

/** The end of a call, for logs and trails. Secrets are masked. */
export interface CallEnd {
  readonly id: string;
  readonly toolName: string;
  /** Absent when no such tool is registered. */
  readonly tool?: Tool;
  readonly caller: string;
  readonly origin: CallOrigin;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly verdict: Verdict;
  readonly approvals: readonly (ApprovalDecision & { readonly kind: string })[];
  readonly durationMs: number;
  /** True when the call had no effect, because no request of its tool reached a service. Absent where that is not certain. */
  readonly isUnsent?: true;
  /** Id of the trace of the call, 32 hexadecimal digits. Absent without one. */
  readonly traceId?: string;
  /** Names of the accounts whose credentials it had when it ran, by provider. Absent without any. */
  readonly account?: Readonly<Record<string, string>>;
  /** True when work for this end may wait for `extend.beforeAnswers`, to be done for several calls at once: see `CallRequest.isHeld`. */
  readonly isHeld: boolean;
  readonly outcome: { readonly type: 'completed'; readonly result: CallOutput } | { readonly type: 'failed'; readonly error: ToolkitError };
}
