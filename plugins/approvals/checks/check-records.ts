import { type ApprovalPage, type Approvals, type Finding, ToolkitError } from '../../../kernel/index.ts';
import { formatFew } from '../../shared/terminal/few.ts';

const check = 'Approval';

/** Records of a page, and the number of pages that are read. */
const limits = { page: 1000, pages: 10 };

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000] as const;

/** Reports the calls that wait for a person, and the records that this process cannot read. */
export async function checkRecords(approvals: Pick<Approvals, 'list'>, nowMs: number): Promise<readonly Finding[]> {
  const { waiting, unreadable, hasMore } = await readWaiting(approvals);
  const oldest = waiting.at(-1);
  const more = hasMore ? 'at least ' : '';
  const findings: Finding[] = [];
  if (oldest !== undefined)
    findings.push({
      check,
      state: 'ok',
      message: `${more}${countOf(waiting.length)} for a person, the oldest for ${ageOf(nowMs - oldest.createdAt)} (${oldest.id})`,
      details: [`tools: ${formatFew([...new Set(waiting.map(({ tool }) => tool))])}`],
      hint: '"toolkit approvals list" shows them; "toolkit approvals approve" or "refuse" decides.',
    });
  if (unreadable > 0)
    findings.push({
      check,
      state: 'warning',
      message: `${more}${unreadable === 1 ? '1 record' : `${unreadable} records`} of approvals that this process cannot read: written with another key, changed, or by a later version`,
      hint: 'Give all processes the same TOOLKIT_KEY (the previous one as TOOLKIT_KEY_PREVIOUS) and the same version of this program. Until then nobody can decide them here, and they expire.',
    });
  return findings;
}

interface Waiting {
  readonly waiting: ApprovalPage['approvals'];
  readonly unreadable: number;
  readonly hasMore: boolean;
}

/** Reads the waiting records, newest first. */
async function readWaiting(approvals: Pick<Approvals, 'list'>): Promise<Waiting> {
  const waiting: ApprovalPage['approvals'][number][] = [];
  let unreadable = 0;
  let after: string | undefined;
  try {
    for (let pages = 0; pages < limits.pages; pages++) {
      const page = await approvals.list({ status: 'waiting', limit: limits.page, ...(after === undefined ? {} : { after }) });
      waiting.push(...page.approvals);
      unreadable += page.unreadable ?? 0;
      after = page.next;
      if (after === undefined) return { waiting, unreadable, hasMore: false };
    }
  } catch (error) {
    // The check of the store says that it cannot be reached.
    if (!ToolkitError.is(error) || error.code !== 'STATE_UNAVAILABLE') throw error;
    return { waiting: [], unreadable: 0, hasMore: false };
  }
  return { waiting, unreadable, hasMore: true };
}

function countOf(count: number): string {
  return count === 1 ? '1 call waits' : `${count} calls wait`;
}

/** Formats a time span in its largest unit, such as `3 hours`. */
function ageOf(ms: number): string {
  if (ms < minuteMs) return 'less than a minute';
  const [unitMs, unit] = ms < hourMs ? [minuteMs, 'minute'] : ms < dayMs ? [hourMs, 'hour'] : [dayMs, 'day'];
  const count = Math.floor(ms / unitMs);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
