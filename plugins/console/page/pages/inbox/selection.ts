import type { ApprovalRecord } from '../../../../../kernel/index.ts';

/** Selected records by id, as they were shown when they were selected: their digests are those that the person saw. */
export type Selection = ReadonlyMap<string, ApprovalRecord>;

/** Returns the selection with the record added or removed. */
export function toggled(selection: Selection, record: ApprovalRecord): Selection {
  const next = new Map(selection);
  if (!next.delete(record.id)) next.set(record.id, record);
  return next;
}

/** Returns the selection with all waiting records that are shown, or without them when they are all selected. */
export function allToggled(selection: Selection, shown: readonly ApprovalRecord[]): Selection {
  const waiting = shown.filter(({ status }) => status === 'waiting');
  const next = new Map(selection);
  if (waiting.every(({ id }) => next.has(id))) for (const { id } of waiting) next.delete(id);
  else for (const record of waiting) if (!next.has(record.id)) next.set(record.id, record);
  return next;
}

/** Returns the selected records that are still shown and wait: one decision covers nothing that is out of sight. */
export function chosenOf(selection: Selection, shown: readonly ApprovalRecord[]): readonly ApprovalRecord[] {
  return shown.flatMap(({ id, status }) => (status === 'waiting' ? (selection.get(id) ?? []) : []));
}

/** Returns the id that is `step` rows from the current one. A current one that has left counts as being between its neighbours. */
export function movedId(ids: readonly string[], current: string | undefined, lastIndex: number, step: number): string | undefined {
  const index = current === undefined ? -1 : ids.indexOf(current);
  const from = index >= 0 ? index + step : lastIndex + (step > 0 ? step - 1 : step);
  return ids[Math.min(Math.max(from, 0), ids.length - 1)];
}
