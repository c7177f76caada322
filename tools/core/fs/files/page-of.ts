import { OutputRoom } from '../../../../plugins/shared/output-room/output-room.ts';

interface PageOptions {
  /** Number of items to skip. */
  readonly offset: number;
  /** Maximum number of items. */
  readonly maxResults: number;
  /** Characters for the whole output; undefined: no limit. See `context.output.budget`. */
  readonly budget: number | undefined;
  /** All other members of the output. */
  readonly around: object;
}

interface Page<T> {
  readonly shown: readonly T[];
  /** Members of the output that tell how to read on. */
  readonly end: { readonly truncated: boolean; readonly next_offset?: number };
}

/** Placeholder members that a page adds, at their longest. */
const longestEnd = { items: [], truncated: false, next_offset: 1e9 };

/**
 * Returns one page of a list: as many items as are requested and fit, and at least one, so that the next call makes progress. A
 * list that was cut after `offset + maxResults` items must hold one item more.
 */
export function pageOf<T>(items: readonly T[], { offset, maxResults, budget, around }: PageOptions): Page<T> {
  const room = new OutputRoom(budget, { ...around, ...longestEnd });
  let end = offset;
  while (end < items.length && end < offset + maxResults && (room.take(items[end]) || end === offset)) end += 1;
  const truncated = end < items.length;
  return { shown: items.slice(offset, end), end: { truncated, ...(truncated ? { next_offset: end } : {}) } };
}
