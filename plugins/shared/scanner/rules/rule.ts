import type { FindingKind, Severity } from '../finding.ts';
import type { WordClass } from '../words/word-class.ts';

/** A sequence of words that is suspicious: one word of each step, in this order, with others between them. */
export interface Rule {
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly message: string;
  readonly steps: readonly (readonly WordClass[])[];
  /** Maximum number of words from the first step to the last. */
  readonly within: number;
  /** True to match across the ends of sentences. @default false */
  readonly crosses?: boolean;
  /** Classes that take the meaning away, among the words from five before the match to its end, or within the sentence until eight behind it. */
  readonly unless?: readonly WordClass[];
  /** True for what a tool may say of itself: not found where it begins the text ("Reads ~/.aws/credentials and shows them"). @default false */
  readonly isOwnWork?: boolean;
  /** True where a name counts only when it is followed by "tool", or is known to be one. @default false */
  readonly needsTool?: boolean;
}
