import type { ApprovalFilter, ApprovalPage } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { type StoredApproval, toApprovalRecord } from './records/stored-approval.ts';

/** Minimum records of one read: a filter may pass over most of them. */
const minPageSize = 200;

/** Lists records, newest first. */
export async function listRecords(
  { records }: Pick<ApprovalParts, 'records'>,
  { limit = 100, after, ...filter }: ApprovalFilter,
): Promise<ApprovalPage> {
  const found: StoredApproval[] = [];
  let unreadable = 0;
  let cursor = after;
  const page = (next?: string): ApprovalPage => ({
    approvals: found.map(toApprovalRecord),
    ...(unreadable === 0 ? {} : { unreadable }),
    ...(next === undefined ? {} : { next }),
  });
  for (;;) {
    const read = await records.page(cursor, Math.max(limit, minPageSize));
    unreadable += read.unreadable;
    for (const record of read.found) {
      if (!isWanted(record, filter)) continue;
      // There is one more, so that the cursor leads somewhere.
      if (found.length === limit) return page(found.at(-1)?.id);
      found.push(record);
    }
    if (read.last === undefined) return page();
    cursor = read.last;
  }
}

/** Returns true for a record that the filter wants. */
export function isWanted(record: StoredApproval, filter: Omit<ApprovalFilter, 'limit' | 'after'>): boolean {
  return (['status', 'tool', 'caller', 'tenant'] as const).every((name) => filter[name] === undefined || filter[name] === record[name]);
}
