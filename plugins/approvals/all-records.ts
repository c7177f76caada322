import type { ApprovalFilter } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { isWanted } from './list-records.ts';
import type { StoredApproval } from './records/stored-approval.ts';

const pageSize = 200;

/** Reads all records of a filter, newest first. */
export async function* allRecords(
  { records }: Pick<ApprovalParts, 'records'>,
  filter: Omit<ApprovalFilter, 'limit' | 'after'>,
): AsyncGenerator<StoredApproval, void> {
  for (let after: string | undefined; ; ) {
    const { found, last } = await records.page(after, pageSize);
    for (const record of found) if (isWanted(record, filter)) yield record;
    if (last === undefined) return;
    after = last;
  }
}
