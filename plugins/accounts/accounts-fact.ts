import { defineFact } from '../../kernel/index.ts';
import type { Accounts } from './accounts.ts';
import type { Connect } from './connect/connect.ts';

/** Opens the accounts of a running kernel, for the commands and checks of this plugin. */
export interface OpenAccounts {
  open(): Promise<Accounts>;
  /** Opens the logins by link. */
  connect(): Promise<Connect>;
}

export const accountsOfKernel = defineFact<OpenAccounts>('opened accounts');
