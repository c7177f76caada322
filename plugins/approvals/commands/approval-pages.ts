import type { ApprovalFilter, ApprovalPage, Approvals } from '../../../kernel/index.ts';

const pageSize = 100;

/** Reads all records of a filter, a page at a time, newest first. */
export async function* approvalPages(
  approvals: Pick<Approvals, 'list'>,
  filter: Omit<ApprovalFilter, 'limit' | 'after'>,
): AsyncGenerator<ApprovalPage, void> {
  for (let after: string | undefined; ; ) {
    const page = await approvals.list({ ...filter, limit: pageSize, ...(after === undefined ? {} : { after }) });
    yield page;
    after = page.next;
    if (after === undefined) return;
  }
}
