import type { ApprovalRecord, Terminal } from '../../../kernel/index.ts';
import { formatNumber } from '../../shared/terminal/format-number.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { ageText, approvedNames, callerText, statusText } from './approval-format.ts';

/** Formats records as a table, one row each. `showsStatus`: with a column for the status. */
export async function approvalTable(
  records: readonly ApprovalRecord[],
  terminal: Pick<Terminal, 'columns' | 'hasColors'>,
  { showsStatus = false, nowMs = Date.now() } = {},
): Promise<string> {
  const rows = records.map((record) => [
    paint(terminal, 'name', terminalText(record.id)),
    ...(showsStatus ? [statusText(record.status, terminal)] : []),
    ageText(record.createdAt, nowMs),
    terminalText(callerText(record)),
    terminalText(record.tool),
    record.risk,
    formatNumber(record.count),
    terminalText(reasonText(record)),
  ]);
  const columns = [
    { heading: 'Id' },
    ...(showsStatus ? [{ heading: 'Status' }] : []),
    { heading: 'Age', align: 'right' },
    { heading: 'Caller' },
    { heading: 'Tool' },
    { heading: 'Risk' },
    { heading: 'Count', align: 'right' },
    { heading: 'Reason', narrow: 'cut' },
  ] as const;
  return textTable(terminal, columns, rows);
}

function reasonText(record: ApprovalRecord): string {
  const { approvers, reasons, isKept, status, ended } = record;
  const given = approvers > 1 && status === 'waiting' ? [`${approvedNames(record)} of ${approvers} approvals`] : [];
  return [...given, ...(isKept ? [] : ['not kept']), ...reasons.map(({ message }) => message), ...(ended === undefined ? [] : [ended])]
    .join('; ')
    .replaceAll(/\s+/g, ' ');
}

/** Says how many records this process cannot read. */
export function unreadableText(count: number): string {
  const records = count === 1 ? '1 approval cannot' : `${formatNumber(count)} approvals cannot`;
  return `${records} be read here: another key sealed them, or a later version of this program wrote them. They are neither shown nor decided.`;
}
