import type { LockItem } from '../items/lock-item.ts';

/** Something about an item that a person should know before it is accepted. */
export interface LockFinding {
  /** Name of the rule, such as `shadowed-name`. */
  readonly rule: string;
  /** The items concerned, by name. */
  readonly names: readonly string[];
  /** One sentence without a full stop. */
  readonly message: string;
  /** True for a finding that `toolkit lock --check` reports as against the policy (exit code 4). */
  readonly isHard: boolean;
}

/** Looks for findings among all items, such as names that look alike or hidden characters. */
export type Scan = (items: readonly LockItem[]) => readonly LockFinding[] | Promise<readonly LockFinding[]>;
