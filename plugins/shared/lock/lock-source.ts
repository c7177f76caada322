import { type CommandInvocation, defineFact } from '../../../kernel/index.ts';

/** The difference between what was accepted of a source and what it lists now. */
export interface SourceComparison {
  /** False when accepting would change nothing. */
  readonly differs: boolean;
  /** Names of the differing tools, prompts and resources, as they are here. @default the source is accepted as a whole only */
  readonly items?: readonly string[];
  /** Returns the differences as lines for a terminal, of the whole source or of these items. */
  text(items?: readonly string[]): string;
  /** Scans the texts of what would be accepted, and notes what it finds. Throws INVALID_PARAMETERS for a hard finding that the operator has not named. */
  review(items?: readonly string[]): Promise<void>;
  /** Writes the entry, for the whole source or these items of it. Returns a line for a person. */
  accept(items?: readonly string[]): Promise<string>;
}

/** A source with an entry of its own in the lock, stated by its plugin: commands compare and accept it through this. */
export interface LockSource {
  readonly section: 'documents' | 'upstreams';
  readonly name: string;
  /** `required`: it offers nothing without one. `optional`: it is served as it is without one. `none`: the configuration wants none. */
  readonly entry: 'required' | 'optional' | 'none';
  /** Asks the source. Throws why it cannot be reached. */
  compare(invocation: CommandInvocation): Promise<SourceComparison>;
}

/** The sources that have an entry of their own. Tools of all other sources have entries in the section `tools`. */
export const lockSource = defineFact<LockSource>('source with an entry in the lock');
