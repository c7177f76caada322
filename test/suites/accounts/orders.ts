import type { GrantOwner } from '../../../plugins/accounts/grants/grant.ts';

/** Steps of a refresh at which a process can be held. */
export const steps = ['claimed', 'sent', 'answered', 'written'] as const;

export type Step = (typeof steps)[number];

export const lifetimeMs = 3_600_000;

/** An order to a process. */
export type Order =
  /** Saves a grant for each name. */
  | { readonly save: readonly string[] }
  /** Sets the clock, in epoch ms. */
  | { readonly now: number }
  /** Calls for a live grant of each name, so many at once. Reports `waiting` when all of them have begun. */
  | { readonly live: readonly string[]; readonly calls: number }
  /** Holds the refresh of the name at a step, for ever. Reports `reached`. */
  | { readonly hold: string; readonly at: Step };

/** Outcomes of the calls for one name. */
export interface Outcomes {
  readonly name: string;
  /** Access tokens, each once. */
  readonly tokens: readonly string[];
  readonly failures: readonly { readonly code: string; readonly message: string }[];
}

export type Report =
  | { readonly ready: true }
  | { readonly waiting: number }
  | { readonly reached: string }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

export function ownerOf(name: string): GrantOwner {
  return { tenant: '', caller: name, provider: 'example', issuer: 'https://issuer.example', account: 'default' };
}
