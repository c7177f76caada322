import type { ApprovalRecord } from '../../../../../kernel/index.ts';

type Listed = Pick<ApprovalRecord, 'id' | 'status'>;

/** Ids of records that were decided on this page and wait no longer. A reading that began before the decision still has them as waiting. */
export type Gone = ReadonlySet<string>;

/** Returns the ids with those of the decided records that wait no longer. */
export function goneWith(gone: Gone, decided: readonly Listed[]): Gone {
  return new Set([...gone, ...decided.flatMap(({ id, status }) => (status === 'waiting' ? [] : [id]))]);
}

/** Returns false for a record that belongs no longer to a list of that status. An undefined status is that of all. */
export function stillListed({ id, status }: Listed, wanted: string | undefined, gone: Gone): boolean {
  return wanted === undefined || (status === wanted && !(wanted === 'waiting' && gone.has(id)));
}

/**
 * Returns the id of the record with which a person goes on after a decision: the next one below that waits and was not decided, else the nearest one
 * above; undefined when there is none. A current one that has left the list counts as being where it was.
 */
export function nextWaiting(
  rows: readonly Listed[],
  current: string | undefined,
  lastIndex: number,
  decided: ReadonlySet<string>,
): string | undefined {
  const index = rows.findIndex(({ id }) => id === current);
  const from = index === -1 ? lastIndex : index;
  const waits = ({ id, status }: Listed): boolean => status === 'waiting' && !decided.has(id);
  return (rows.slice(from).find(waits) ?? rows.slice(0, from).findLast(waits))?.id;
}
