import { useEffect, useRef } from 'preact/hooks';
import type { ApprovalRecord } from '../../../../../kernel/index.ts';
import { useConsole } from '../../console-context.ts';
import { shownLine } from '../../formats/shown-text.ts';
import { counted } from '../../formats/words.ts';

/** Says to screen readers which calls have arrived since the list was read before. */
export function useArrivals(records: readonly ApprovalRecord[] | undefined): void {
  const { announce } = useConsole();
  const known = useRef<{ readonly ids: ReadonlySet<string>; readonly newest: number }>(undefined);
  useEffect(() => {
    if (records === undefined) return;
    const before = known.current;
    known.current = { ids: new Set(records.map(({ id }) => id)), newest: records[0]?.createdAt ?? before?.newest ?? 0 };
    if (before === undefined) return;
    // Records of a further page are older than those before.
    const arrived = records.filter(({ id, createdAt }) => !before.ids.has(id) && createdAt >= before.newest);
    const [first] = arrived;
    if (first === undefined) return;
    const words = arrived.length === 1 ? `${shownLine(first.tool)} of ${shownLine(first.caller)}` : counted(arrived.length, 'more call');
    announce(`${words} waits for a decision. ${counted(records.length, 'call')} in the list.`);
  }, [records]);
}
