import { expect } from 'chai';
import type { Grant } from '../../../plugins/accounts/grants/grant.ts';
import { listAccounts } from '../../../plugins/accounts/list-accounts.ts';
import { ada, hourMs, newGrant } from './grants/grant-samples.ts';

const grant = (more: Partial<Grant> = {}): Grant => ({ ...newGrant(), version: 1, createdAt: 5, ...more });

const listed = async (...grants: readonly Grant[]): Promise<unknown> => listAccounts({ list: async () => grants }, hourMs / 2);

describe('the list of accounts', () => {
  it('has the state of each, and no token', async () => {
    const row = { provider: 'gmail', account: 'default', caller: 'ada', tenant: '', scopes: ['read'], connectedAt: 5 };
    expect(await listed(grant())).to.deep.equal([{ ...row, state: '30 min left' }]);
  });

  it('has the command for one that needs a login', async () => {
    const [row] = (await listed(grant({ needsLogin: { since: 0, reason: 'refused' } }))) as readonly Record<string, unknown>[];
    expect(row).to.include({ state: 'needs login' });
    expect(row?.['login']).to.match(/^toolkit auth login gmail --as ada/);
  });

  it('names the issuer where one caller has an account of one name at two', async () => {
    const other = grant({ owner: { ...ada, issuer: 'https://other.example' } });
    const rows = (await listed(grant(), other)) as readonly { readonly account: string }[];
    expect(rows.map(({ account }) => account)).to.deep.equal(['default at https://issuer.example', 'default at https://other.example']);
  });
});
