import type { CallName } from '../call/call-name.ts';
import type { Decider } from '../call/decider.ts';
import type { CallIdentity } from '../call/identity.ts';
import type { Reason } from '../call/verdict.ts';
import type { Risk } from '../definition/schema/tool-definition.ts';

export type { Decider } from '../call/decider.ts';

/** One decision about a record. */
export interface RecordedDecision {
  readonly approve: boolean;
  readonly by: Decider;
  /** Time of the decision, in epoch ms. */
  readonly at: number;
  readonly reason?: string;
}

/**
 * `waiting`: a person must decide. `approved`: its run has not begun, or its result is not fetched yet. `used`: the approval has had its one run.
 * `refused`: a person said no. `expired`: nobody answered in time, which is a no. `void`: what was approved has changed. `withdrawn`: the call
 * ended, and nothing of it is kept.
 */
export const approvalStatuses = ['waiting', 'approved', 'used', 'refused', 'expired', 'void', 'withdrawn'] as const;

export type ApprovalStatus = (typeof approvalStatuses)[number];

/** A held call as it is shown to a person. Secrets are masked; nothing is cut. */
export interface ShownCall {
  readonly description: string;
  /** Absent when the tool belongs to no provider. */
  readonly provider?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly identity: CallIdentity;
}

/** The record of a call that needs a person. Times are in epoch ms. Secrets are masked. */
export interface ApprovalRecord {
  /** Text of letters, digits and one dash. */
  readonly id: string;
  readonly status: ApprovalStatus;
  readonly tool: string;
  readonly risk: Risk;
  readonly caller: string;
  readonly tenant: string;
  /** The host's name for the effect of the call (`once`): that of a durable call is its id. */
  readonly once?: string;
  readonly createdAt: number;
  /** Time at which a missing answer counts as a no, and a yes that had no run ends. */
  readonly expiresAt: number;
  readonly endedAt?: number;
  /** Number of equal calls that have asked. */
  readonly count: number;
  /** False for a call with credentials of its own: it can run only while its client waits. */
  readonly isKept: boolean;
  /** Number of different names that must approve. */
  readonly approvers: number;
  readonly decisions: readonly RecordedDecision[];
  /** Digest (sha256, hex) of everything that an approval is bound to. A decision may name it, and is refused for another one. */
  readonly digest: string;
  /** Digest (sha256, hex) of the reasons for asking: the version of the policy for this call. */
  readonly policy: string;
  readonly reasons: readonly Reason[];
  readonly shown: ShownCall;
  /** The earlier approval of an equal call that is void, and the changes since, such as `its definition`. */
  readonly replaces?: { readonly id: string; readonly changed: readonly string[] };
  /** The durable call that runs it, when its client no longer waited. */
  readonly runsAs?: CallName;
  /** The reason why a `void` or `withdrawn` record ended, as a sentence. */
  readonly ended?: string;
}

/** One difference between the parameters of two calls. `path`: such as `items[0].name`. A missing side is absent. */
export interface ParameterChange {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** A record with the things that help to decide. */
export interface ApprovalDetails extends ApprovalRecord {
  /** The answer of the read request that the definition names (`preview`), or the reason why there is none. */
  readonly preview?: { readonly tool: string; readonly output?: unknown; readonly failure?: string };
  /** Differences to the last approved call of this tool by the same tenant and caller. Absent without such a call. */
  readonly sinceLast?: { readonly id: string; readonly at: number; readonly changes: readonly ParameterChange[] };
  /** A rule, as YAML, that would let equal calls run without asking. Absent where no rule can. */
  readonly always?: string;
}

export interface ApprovalFilter {
  /** @default every status */
  readonly status?: ApprovalStatus;
  readonly tool?: string;
  readonly caller?: string;
  readonly tenant?: string;
  /** Maximum number of records in a page. @default 100 */
  readonly limit?: number;
  /** Cursor of the next page: `next` of the previous one. */
  readonly after?: string;
}

export interface ApprovalPage {
  /** Records, newest first. */
  readonly approvals: readonly ApprovalRecord[];
  /** Number of records of this page that this process cannot read: written with another key or by a later version. @default 0 */
  readonly unreadable?: number;
  /** Cursor of the next page. Absent on the last one. */
  readonly next?: string;
}

/** The time for which a refusal also refuses later calls: those of this tool, or those with the same arguments. */
export type HeldRefusal = 'tool' | 'arguments';

export interface ApprovalAnswer {
  readonly approve: boolean;
  readonly by: Decider;
  /** Digest of the record that the person saw. An answer to another digest changes nothing. @default not compared */
  readonly digest?: string;
  readonly reason?: string;
  /** With a no: refuses later calls of this caller as well, for the time in the options of the plugin. @default only this record */
  readonly hold?: HeldRefusal;
}

/** One answered record of a decision about many. */
export interface ManyDecided {
  readonly id: string;
  /** The record after the decision; undefined when it could not be decided. */
  readonly approval?: ApprovalRecord;
  /** The reason why the decision changed nothing, such as that another person was first. */
  readonly failure?: string;
}

/** An event in the life of a record, for trails. Secrets are masked. */
export interface ApprovalEvent {
  /** `asked`: a record was made. `agreed`: one of several approvers said yes. `rejected`: an answer changed nothing. `erased`: the records of a caller were deleted. Otherwise the new status. */
  readonly event: 'asked' | 'agreed' | 'rejected' | 'erased' | Exclude<ApprovalStatus, 'waiting'>;
  /** Id of the record, or the id that a rejected answer named. */
  readonly id: string;
  readonly tool?: string;
  readonly caller?: string;
  readonly tenant?: string;
  readonly digest?: string;
  readonly by?: Decider;
  /** The reason of the decider, or the reason why an answer was rejected. */
  readonly reason?: string;
}

export type ApprovalListener = (event: ApprovalEvent) => void;
