import { type ApprovalEvent, type PluginApi, ToolkitError } from '../../kernel/index.ts';
import { pagesOf } from '../shared/state/pages-of.ts';

/** Prefix of the keys of open records (`recordKeys.due`). Their value is the status. */
const openRecords = 'due/';

const pageSize = 1000;

/** The ends of a question. Further approvers (`agreed`) and later states (`used`, `void`) are none. */
const decisions = ['approved', 'refused', 'expired', 'withdrawn'] as const satisfies readonly ApprovalEvent['event'][];

/** Adds the numbers of questions for a person: those that wait, and those that were decided. */
export function addGauges({ extend, state }: Pick<PluginApi, 'extend' | 'state'>): void {
  extend.gauge({
    name: 'approvals.waiting',
    description: 'Calls that wait for a person, over all processes of the store',
    unit: '{approval}',
    // Reads the index and no record, so it needs no key.
    async read() {
      let count = 0;
      try {
        for await (const page of pagesOf(state, openRecords, pageSize)) count += page.filter(({ value }) => value === 'waiting').length;
        return count;
      } catch (error) {
        if (ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE') return undefined;
        throw error;
      }
    },
  });
  const counts = new Map<string, number>(decisions.map((decision) => [decision, 0]));
  extend.approvalEvents(({ event }) => {
    const count = counts.get(event);
    if (count !== undefined) counts.set(event, count + 1);
  });
  extend.gauge({
    name: 'approvals.decided',
    description: 'Questions for a person that this process saw end',
    unit: '{approval}',
    kind: 'counter',
    labels: ['decision'],
    read: () => [...counts].map(([decision, value]) => ({ labels: { decision }, value })),
  });
}
