import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import { formatNumber } from '../../shared/terminal/format-number.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { accountDecider } from './account-decider.ts';
import { approvalPages } from './approval-pages.ts';
import { unreadableText } from './approval-table.ts';
import { confirm } from './confirm.ts';
import { withApprovals } from './with-approvals.ts';

/** Deletes the records of one caller, after their number was shown and a person was asked. */
export async function erase(invocation: CommandInvocation): Promise<void> {
  const { flags, note, write } = invocation;
  const { caller, tenant } = flags as { readonly caller?: string; readonly tenant?: string };
  if (caller === undefined) throw new ToolkitError('INVALID_PARAMETERS', 'Nothing was erased. Say whose approvals: --caller <name>.');
  const owner = { caller, ...(tenant === undefined ? {} : { tenant }) };
  const whose = `the caller "${caller}"${tenant === undefined ? '' : ` of the tenant "${tenant}"`}`;
  await withApprovals(invocation, async (approvals) => {
    const by = await accountDecider();
    let [count, waiting, unreadable] = [0, 0, 0];
    for await (const page of approvalPages(approvals, owner)) {
      count += page.approvals.length;
      waiting += page.approvals.filter(({ status }) => status === 'waiting').length;
      unreadable += page.unreadable ?? 0;
    }
    const waits = waiting === 0 ? '' : `, of which ${formatNumber(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for a person`;
    note(`${terminalText(`${approvalCount(count)} of ${whose}${waits}.`)}\n`);
    if (unreadable > 0) note(`${unreadableText(unreadable)} Those of this caller among them stay.\n`);
    if (flags['yes'] !== true)
      await confirm(invocation, {
        question: 'Erase them? This cannot be undone, and what waits is refused.',
        without: 'Add --yes to erase them.',
        nothing: 'Nothing was erased.',
      });
    const erased = await approvals.erase(owner, by);
    write(`${terminalText(`Erased ${approvalCount(erased)} of ${whose}.`)}\n`);
  });
}

function approvalCount(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'approval' : 'approvals'}`;
}
