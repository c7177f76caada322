import { OutputRoom } from '../../../../plugins/shared/output-room/output-room.ts';

interface PageOptions {
  /** Items that are passed over. */
  readonly offset: number;
  /** Items that are shown, at most. */
  readonly maxResults: number;
  /** Characters for the whole output; undefined: any number. See `context.output.budget`. */
  readonly budget: number | undefined;
  /** Everything else of the output. */
  readonly around: object;
}

interface Page<T> {
  readonly shown: readonly T[];
  /** The part of the output that says how it goes on. */
  readonly end: { readonly truncated: boolean; readonly next_offset?: number };
}

/** Part of `around` for what a page adds. */
const longestEnd = { items: [], truncated: false, next_offset: 1e9 };

/**
 * Returns the items of a list that one call shows: as many as are wanted and have room, and at least one, so that the next call begins further on. A
 * list that was cut behind `offset + maxResults` must hold one item more.
 */
export function pageOf<T>(items: readonly T[], { offset, maxResults, budget, around }: PageOptions): Page<T> {
  const room = new OutputRoom(budget, { ...around, ...longestEnd });
  let end = offset;
  while (end < items.length && end < offset + maxResults && (room.take(items[end]) || end === offset)) end += 1;
  const truncated = end < items.length;
  return { shown: items.slice(offset, end), end: { truncated, ...(truncated ? { next_offset: end } : {}) } };
}
