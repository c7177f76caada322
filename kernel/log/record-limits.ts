export interface RecordLimits {
  /** Maximum characters of one text, also of the message. */
  readonly text: number;
  /** Maximum items of one list, and members of one object. */
  readonly members: number;
  /** Maximum levels of nesting. */
  readonly depth: number;
  /** Maximum characters of all metadata together, before JSON escapes. */
  readonly total: number;
}

/** Limits of one log record. Each cut leaves a note in the record. */
export const recordLimits: RecordLimits = { text: 10_000, members: 100, depth: 10, total: 65_536 };

const none = Number.POSITIVE_INFINITY;

/** Limits of values that are not cut. The depth stays bounded, because later recursive code must not run out of stack. */
export const unlimited: RecordLimits = { text: none, members: none, depth: 500, total: none };
