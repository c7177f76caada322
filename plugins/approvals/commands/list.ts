import type { ApprovalPage, ApprovalStatus, CommandInvocation } from '../../../kernel/index.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { shellWord } from '../../shared/text/shell-word.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { filterOf } from './approval-arguments.ts';
import { toApprovalJson } from './approval-format.ts';
import { approvalTable, unreadableText } from './approval-table.ts';
import { withApprovals } from './with-approvals.ts';

/** Lists one page of records. */
export async function list(invocation: CommandInvocation): Promise<void> {
  const { flags, write, note, terminal } = invocation;
  const { status, after } = flags as { readonly status: ApprovalStatus | 'all'; readonly after?: string };
  await withApprovals(invocation, async (approvals) => {
    const page = await approvals.list({
      ...filterOf(flags),
      limit: Number(flags['limit']),
      ...(status === 'all' ? {} : { status }),
      ...(after === undefined ? {} : { after }),
    });
    const { unreadable = 0, next } = page;
    if (flags['json'] === true) return write(jsonText({ approvals: page.approvals.map(toApprovalJson), unreadable, next: next ?? null }));
    if (page.approvals.length === 0) write(nothingText(page, status, after));
    else write(await approvalTable(page.approvals, terminal, { showsStatus: status === 'all' }));
    if (unreadable > 0) note(`${unreadableText(unreadable)}\n`);
    if (next !== undefined) note(`There may be more: --after ${shellWord(terminalText(next))}\n`);
    else if (page.approvals.length > 0) note('No more.\n');
  });
}

function nothingText({ next }: ApprovalPage, status: ApprovalStatus | 'all', after: string | undefined): string {
  if (next !== undefined) return 'No approvals in this part.\n';
  if (after !== undefined) return 'No more approvals.\n';
  if (status === 'waiting') return 'No approvals wait.\n';
  return status === 'all' ? 'No approvals.\n' : `No approvals are ${status}.\n`;
}
