import type { ApprovalHost, ApprovalRecord, PluginApi } from '../../kernel/index.ts';
import { ChangeNotifier } from '../shared/calls/change-notifier.ts';
import type { HostKeys } from '../shared/keys/host-keys.ts';
import type { ApprovalParts } from './approval-parts.ts';
import type { ReadPreview } from './details/preview.ts';
import { StoreInbox } from './inbox.ts';
import type { ApprovalsSettings } from './options.ts';
import { RecordWatch } from './record-watch.ts';
import { ApprovalRecords } from './records/approval-records.ts';
import { CallerEntries } from './records/caller-entry.ts';
import { SealedValues } from './records/sealed-values.ts';
import { toApprovalRecord } from './records/stored-approval.ts';
import { ApprovalSweep } from './sweep.ts';

export interface OpenedApprovals {
  readonly inbox: StoreInbox;
  /** Returns the record of an id, with secrets masked; undefined when there is none. */
  readonly read: (id: string) => Promise<ApprovalRecord | undefined>;
  readonly sweep: ApprovalSweep;
  close(): Promise<void>;
}

export interface OpenApprovalsOptions {
  readonly host: ApprovalHost;
  readonly keys: HostKeys;
  readonly settings: ApprovalsSettings;
  readonly outbox: ApprovalParts['outbox'];
  readonly readPreview: ReadPreview;
}

/** Opens the records, for the first call that asks, the first command, or a server. */
export function openApprovals(api: PluginApi, { host, keys, settings, outbox, readPreview }: OpenApprovalsOptions): OpenedApprovals {
  const { state, logger } = api;
  const values = new SealedValues(state, keys.cipher('approvals'));
  const changes = new ChangeNotifier<'record/'>(state);
  const parts: ApprovalParts = {
    settings,
    records: new ApprovalRecords(values, settings.retentionMs),
    entries: new CallerEntries(values),
    changes,
    process: state.join(),
    host,
    kernel: () => api.kernel,
    logger,
    now: () => Date.now(),
    isShared: state.isShared,
    outbox,
    readPreview,
  };
  const watch = new RecordWatch({ changes, logger });
  const sweep = new ApprovalSweep(parts);
  return {
    inbox: new StoreInbox(parts, watch),
    read: async (id) => {
      const read = await parts.records.read(id);
      return read === undefined ? undefined : toApprovalRecord(read.record);
    },
    sweep,
    async close() {
      await sweep.close();
      watch.close();
      await changes.close();
    },
  };
}
