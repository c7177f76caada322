export interface RecordLimits {
  /** Characters of one text; the message is one, too. */
  readonly text: number;
  /** Items of one list and members of one object. */
  readonly members: number;
  /** Levels of nesting. */
  readonly depth: number;
  /** Characters of all metadata together, before JSON escapes them. */
  readonly total: number;
}

/** What one log record may hold. Whatever is cut says so in the record. */
export const recordLimits: RecordLimits = { text: 10_000, members: 100, depth: 10, total: 65_536 };

const none = Number.POSITIVE_INFINITY;

/** For values that are not cut. What comes after walks through them as well, and must not run out of stack. */
export const unlimited: RecordLimits = { text: none, members: none, depth: 500, total: none };
