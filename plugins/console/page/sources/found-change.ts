import type { ShownChange } from '../../wire/sources.ts';

/** A withheld change with the findings of the scanner, where the server has them. */
export interface FoundChange extends ShownChange {
  /** Texts that are meant for a model and not for the reader, each as a sentence. Absent without any. */
  readonly findings?: readonly string[];
  /** True when a finding blocks it: it is accepted only by name. */
  readonly isBlocked?: true;
}
