import type { ApprovalRecord } from '../../../../../kernel/index.ts';
import { shownLine } from '../../formats/shown-text.ts';

const maxPart = 80;
const maxParts = 4;

/** Returns the first parameters in one line, for the list only: the details have them whole. */
export function summaryOf({ shown }: Pick<ApprovalRecord, 'shown'>): string {
  const parts = Object.values(shown.parameters)
    .slice(0, maxParts)
    .map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, maxPart).replace(/\s+/g, ' '));
  return shownLine(parts.filter((part) => part !== '').join(' · '));
}

/** Returns how often each tool is in the records, as one line: `mail_send, web_request × 2`. */
export function toolsOf(records: readonly Pick<ApprovalRecord, 'tool'>[]): string {
  const counts = new Map<string, number>();
  for (const { tool } of records) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts].map(([tool, count]) => `${shownLine(tool)}${count === 1 ? '' : ` × ${count}`}`).join(', ');
}
