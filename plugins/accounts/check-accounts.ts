import { type Finding, type Kernel, messageOf, type StateStore } from '../../kernel/index.ts';
import { accountLabel } from './account-label.ts';
import { accountsOfKernel } from './accounts-fact.ts';
import { loginCommand } from './auth-required.ts';
import type { Grant } from './grants/grant.ts';

const check = 'Accounts';

/** Reports accounts that need a login, and a store that other processes do not see. Empty without accounts. */
export async function checkAccounts(kernel: Kernel, state: StateStore | undefined): Promise<readonly Finding[]> {
  const [fact] = kernel.facts(accountsOfKernel);
  if (fact === undefined) return [];
  let grants: readonly Grant[];
  try {
    grants = await (await fact.value.open()).grants.list();
  } catch (error) {
    return [{ check, state: 'problem', message: messageOf(error).replace(/\.$/, '') }];
  }
  if (grants.length === 0) return [];
  const ended = grants.filter(({ needsLogin }) => needsLogin !== undefined);
  return [ended.length === 0 ? connected(grants, state) : needLogin(ended, grants.length)];
}

function connected({ length }: readonly Grant[], state: StateStore | undefined): Finding {
  const message = `${length} connected`;
  if (state?.isShared === true) return { check, state: 'ok', message };
  return {
    check,
    state: 'ok',
    message: `${message}, kept in files of this account on this machine`,
    hint: 'Processes of other accounts or machines do not see them: for those, list storeLibsql() or storePostgres().',
  };
}

function needLogin(ended: readonly Grant[], count: number): Finding {
  return {
    check,
    state: 'warning',
    message: `${ended.length} of ${count} need a login`,
    details: ended.map((grant) => `${accountLabel(grant)} at ${grant.owner.provider}: ${loginCommand(grant.owner)}`),
    hint: 'Calls that use them fail until then.',
  };
}
