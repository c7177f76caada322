import type { DraftCall } from '../call/draft.ts';
import type { Bindings, CallIdentity } from '../call/identity.ts';
import type { Reason } from '../call/verdict.ts';

export interface ApprovalRequest {
  readonly call: DraftCall;
  /** The reason for asking, with secrets masked. */
  readonly reason: Reason;
  /** The parameters with secrets masked, to show to a person. */
  readonly shownParameters: Readonly<Record<string, unknown>>;
  /** The identity of the call with secrets masked, to show to a person. */
  readonly shownIdentity: CallIdentity;
  /** Digests to which an approval is bound, besides parameters and caller. Compared again directly before the call runs (APPROVAL_DENIED). */
  readonly bindings: Bindings;
  /** The changes since the previous answer, when a person is asked again. Secrets are masked. */
  readonly changed?: readonly string[];
  /** Id of the record of the call. Absent where none is kept. */
  readonly record?: string;
  /** True when every process that may take an answer finds the record: an answer that comes later is bound to it. */
  readonly isShared?: true;
  /** Number of different names that must approve, none of them the caller. @default 1, which may be the person at the caller's client */
  readonly approvers?: number;
  /** Aborts when the record was decided in another way: the question is pointless then. Absent without a record. */
  readonly decidedElsewhere?: AbortSignal;
}
