import { defineFact } from '../../../kernel/index.ts';

/** A connected account as a person sees it. Never its tokens. */
export interface ListedAccount {
  readonly provider: string;
  /** The owner's name for the account, with the provider's name for it where it has one. */
  readonly account: string;
  readonly caller: string;
  readonly tenant: string;
  /** The state of the access token, in words. `needs login`: only a new login helps. */
  readonly state: string;
  readonly scopes: readonly string[];
  /** Time of the login, in epoch ms. */
  readonly connectedAt: number;
  /** Command that logs in again. Absent while no login is needed. */
  readonly login?: string;
}

/** The connected accounts of all callers, for the operator. */
export interface AccountList {
  /** Sentence that says how a person connects an account. */
  readonly how: string;
  /** Lists the accounts, sorted by owner. Rejects with STATE_UNAVAILABLE when the store is unreachable. */
  list(): Promise<readonly ListedAccount[]>;
}

/** Stated by the plugin that keeps accounts. */
export const accountList = defineFact<AccountList>('list of accounts');
