import type { ApprovalHost, PluginApi } from '../../kernel/index.ts';
import { ChangeNotifier } from '../shared/calls/change-notifier.ts';
import type { HostKeys } from '../shared/keys/host-keys.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { StoreInbox } from './inbox.ts';
import type { ApprovalsSettings } from './options.ts';
import { ApprovalRecords } from './records/approval-records.ts';
import { CallerEntries } from './records/caller-entry.ts';
import { SealedValues } from './records/sealed-values.ts';
import { ApprovalSweep } from './sweep.ts';

export interface OpenedApprovals {
  readonly inbox: StoreInbox;
  readonly sweep: ApprovalSweep;
  close(): Promise<void>;
}

export interface OpenApprovalsOptions {
  readonly host: ApprovalHost;
  readonly keys: HostKeys;
  readonly settings: ApprovalsSettings;
}

/** Opens the records, for the first call that asks, the first command, or a server. */
export function openApprovals(api: PluginApi, { host, keys, settings }: OpenApprovalsOptions): OpenedApprovals {
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
    isReachable: () => state.isShared,
    outbox: () => [],
  };
  const sweep = new ApprovalSweep(parts);
  return {
    inbox: new StoreInbox(parts),
    sweep,
    async close() {
      await sweep.close();
      await changes.close();
    },
  };
}
