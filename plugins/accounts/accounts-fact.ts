import { defineFact } from '../../kernel/index.ts';
import type { Accounts } from './accounts.ts';

/** Opens the accounts of a running kernel, for the commands and checks of this plugin. */
export interface OpenAccounts {
  open(): Promise<Accounts>;
}

export const accountsOfKernel = defineFact<OpenAccounts>('opened accounts');
