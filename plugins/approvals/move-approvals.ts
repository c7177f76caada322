import type { StateStore } from '../../kernel/index.ts';
import type { MovedState } from '../shared/calls/movable-state.ts';
import { pagesOf } from '../shared/state/pages-of.ts';

const pageSize = 200;

/** Prefixes of the copied keys, records first: what leads to a record follows it. */
const prefixes = ['record/', 'last/', 'caller/', 'due/'] as const;

export interface MoveApprovalsOptions {
  readonly from: StateStore;
  readonly to: StateStore;
  /** Lifetime of the copies, in milliseconds. */
  readonly ttlMs: number;
}

/**
 * Copies records from another store, sealed as they are, except where this one has an entry of the same key. A yes whose run had not begun there
 * lets the next equal call run here.
 */
export async function moveApprovals({ from, to, ttlMs }: MoveApprovalsOptions): Promise<MovedState> {
  const count = { moved: 0, known: 0, later: 0 };
  for (const prefix of prefixes)
    for await (const page of pagesOf(from, prefix, pageSize))
      for (const { key, value } of page) {
        // The same one is a copy that was made before a break.
        const isCopied = (await to.compareAndSet(key, undefined, value, { ttlMs })) || (await to.get(key)) === value;
        if (prefix === 'record/') count[isCopied ? 'moved' : 'known']++;
      }
  return count;
}
