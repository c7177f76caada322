import { expect } from 'chai';
import { ToolkitError } from '../../../../kernel/index.ts';
import type { Accounts } from '../../../../plugins/accounts/accounts.ts';
import { namedGrant } from '../../../../plugins/accounts/commands/named-grant.ts';
import type { Grant } from '../../../../plugins/accounts/grants/grant.ts';
import { ada, newGrant } from '../grants/grant-samples.ts';

const grantAt = (issuer: string, createdAt: number): Grant => ({ ...newGrant({ ...ada, tenant: 'ada', issuer }), version: 1, createdAt });

/** Grants at two issuers, of which the configuration has one, or none. */
function accountsAt(issuer: string | undefined): Pick<Accounts, 'grants' | 'providers'> {
  const settings = async (): Promise<unknown> => {
    if (issuer === undefined) throw new ToolkitError('CONFIG_INVALID', 'no client id');
    return { issuer };
  };
  const grants = { list: async () => [grantAt('https://old.example', 1), grantAt('https://new.example', 2)] };
  return { grants, providers: { nameOf: (typed: string) => typed, settings } } as unknown as Pick<Accounts, 'grants' | 'providers'>;
}

describe('the account that a command line names', () => {
  const cases = [
    ['of the issuer of the configuration', 'https://old.example', 'https://old.example'],
    ['the newest where the configuration has a third issuer', 'https://other.example', 'https://new.example'],
    ['the newest where nobody can log in now', undefined, 'https://new.example'],
  ] as const;
  for (const [which, configured, expected] of cases)
    it(`is, of one at two issuers, that ${which}`, async () => {
      const { owner } = await namedGrant(accountsAt(configured), { tenant: 'ada', caller: 'ada', provider: 'gmail' });
      expect(owner.issuer).to.equal(expected);
    });
});
