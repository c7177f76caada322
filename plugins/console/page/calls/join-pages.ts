import type { CallsPage, EndedCall } from '../../wire/calls.ts';

/** Ended calls that were read so far, newest first. */
export interface ReadCalls {
  readonly ended: readonly EndedCall[];
  /** Cursor of the next older page. Absent when all were read. */
  readonly next?: string;
}

/**
 * Returns the calls after the newest page was read again: older ones stay. When the page has none of those that are known, calls between them are
 * missing, and only the page counts.
 */
export function withNewest(known: ReadCalls | undefined, page: CallsPage): ReadCalls {
  const newest = new Set(page.ended.map(({ callId }) => callId));
  const older = known?.ended.filter(({ callId }) => !newest.has(callId)) ?? [];
  const hasOverlap = older.length < (known?.ended.length ?? 0);
  if (known === undefined || !hasOverlap) return readOf(page.ended, page.next);
  // More was known than this page: its end is that of the older ones.
  return older.length > 0 ? readOf([...page.ended, ...older], known.next) : readOf(page.ended, page.next);
}

/** Returns the calls with an older page behind them. */
export function withOlder(known: ReadCalls, page: CallsPage): ReadCalls {
  const ids = new Set(known.ended.map(({ callId }) => callId));
  return readOf([...known.ended, ...page.ended.filter(({ callId }) => !ids.has(callId))], page.next);
}

function readOf(ended: readonly EndedCall[], next: string | undefined): ReadCalls {
  return { ended, ...(next !== undefined && { next }) };
}
