import { excerpt, type Kernel, messageOf } from '../../../kernel/index.ts';
import { withinLimit } from '../../shared/checks/within-limit.ts';
import { accountList, type ListedAccount } from '../../shared/oauth/account-list.ts';
import type { AccountRow, AccountsPage } from '../wire/state.ts';
import type { Endpoint } from './endpoint.ts';

/** Time limit of reading the accounts, in milliseconds. */
const timeoutMs = 10_000;

const withoutPlugin =
  'No plugin keeps accounts: add `toolkit/standard` or `toolkit/plugins/accounts` to `plugins` in the configuration, and start again.';

/** The connected accounts of all callers, without their tokens. */
export const accountsEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'accounts', answer: (_request, { kernel }) => accountsPage(kernel) },
];

async function accountsPage(kernel: Kernel): Promise<AccountsPage> {
  const [fact] = kernel.facts(accountList);
  if (fact === undefined) return { accounts: [], how: withoutPlugin };
  const { how, list } = fact.value;
  try {
    const accounts = await withinLimit(list, timeoutMs, 'reading the accounts');
    return kernel.mask({ accounts: accounts.map(rowOf), how });
  } catch (error) {
    return { accounts: [], how, failure: excerpt(kernel.mask(messageOf(error))) };
  }
}

function rowOf({ provider, account, caller, tenant, state, scopes, connectedAt, login }: ListedAccount): AccountRow {
  const owner = tenant === caller ? caller : `${caller} of ${tenant}`;
  return { provider, account, owner, state, scopes, connectedAt, ...(login === undefined ? {} : { login }) };
}
