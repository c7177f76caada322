import type { ApprovalHost, Kernel, Liveness, Logger, StateChange } from '../../kernel/index.ts';
import type { ChangeNotifier } from '../shared/calls/change-notifier.ts';
import type { ReadPreview } from './details/preview.ts';
import type { ApprovalsSettings } from './options.ts';
import type { ApprovalRecords } from './records/approval-records.ts';
import type { CallerEntries } from './records/caller-entry.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/** The parts of the plugin, created once. */
export interface ApprovalParts {
  readonly settings: ApprovalsSettings;
  readonly records: ApprovalRecords;
  readonly entries: CallerEntries;
  readonly changes: ChangeNotifier<'record/'>;
  /** The member of the store under which calls of this process wait. */
  readonly process: Liveness;
  readonly host: ApprovalHost;
  readonly kernel: () => Kernel;
  readonly logger: Logger;
  /** Returns the time in epoch ms. */
  readonly now: () => number;
  /** True when other processes find the records. */
  readonly isShared: boolean;
  /** Returns entries that are stored together with a new record. */
  readonly outbox: (record: StoredApproval) => readonly StateChange[];
  readonly readPreview: ReadPreview;
}
