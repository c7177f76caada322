import { defineFact, type StateStore } from '../../../kernel/index.ts';

/** Entries of a plugin that were moved from another store, and those that stay there. */
export interface MovedState {
  readonly moved: number;
  /** Entries that this store has under the same name. */
  readonly known: number;
  /** Entries that a later version of this program wrote. */
  readonly later: number;
}

/** State that a plugin takes from another store, for `toolkit calls move`. */
export interface MovableState {
  /** Plural noun of the entries, such as `durable calls`. */
  readonly what: string;
  /** Plugin whose keys hold the entries in the other store. */
  readonly keysOf: string;
  /** True when processes act on an entry as soon as it is here. Entries on which that depends are moved first. */
  readonly isActedOn: boolean;
  /** Moves the entries. Repeated after a break it continues: nothing is moved twice. */
  move(from: StateStore): Promise<MovedState>;
}

/** Stated by each plugin that takes state from another store. */
export const movableState = defineFact<MovableState>('state that can be moved from another store');
