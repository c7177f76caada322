import { expect } from 'chai';
import { ChainGrants } from '../../../plugins/accounts/chain-grant.ts';
import type { Grant, GrantOwner, NewGrant } from '../../../plugins/accounts/grants/grant.ts';
import { refreshTokenName } from '../../../plugins/shared/oauth/client-values.ts';
import type { OAuthSettings } from '../../../plugins/shared/oauth/types.ts';

const owner: GrantOwner = { tenant: 'default', caller: 'default', provider: 'gmail', issuer: 'https://login.example', account: 'default' };

const settings: OAuthSettings = {
  provider: 'gmail',
  grant: 'code',
  tokenUrl: 'https://login.example/token',
  clientId: 'client',
  clientAuth: 'none',
  tokenBody: 'form',
  pkce: true,
  scopeSeparator: ' ',
  authorizationParams: {},
  tokenParams: {},
  provides: { GMAIL_ACCESS_TOKEN: 'access_token' },
  refreshMarginMs: 60_000,
  operatorOrigins: [],
};

interface Chain {
  readonly grants: ChainGrants;
  /** The value of GMAIL_REFRESH_TOKEN. */
  token: string | undefined;
  /** The stored grant. */
  stored: Grant | undefined;
  readonly writes: NewGrant[];
  /** Asks for the grant of the owner as a call does. */
  ask(of?: GrantOwner, more?: Partial<OAuthSettings>): Promise<Grant | undefined>;
}

function chain(token: string | undefined): Chain {
  const writes: NewGrant[] = [];
  const made: Chain = {
    token,
    stored: undefined,
    writes,
    grants: new ChainGrants(
      { find: async ([name = '']) => new Map(made.token === undefined ? [] : [[name, made.token]]) },
      {
        list: async () => (made.stored === undefined ? [] : [made.stored]),
        save: async (grant, over) => {
          if (made.stored !== undefined && made.stored.version !== over) return made.stored;
          writes.push(grant);
          made.stored = { ...grant, version: (made.stored?.version ?? 0) + 1, createdAt: 0 };
          return made.stored;
        },
      },
    ),
    ask: (of = owner, more = {}) => made.grants.grantOf(of, { ...settings, ...more }, made.stored),
  };
  return made;
}

describe('a refresh token of the resolver chain', () => {
  it('has a name that begins with that of its provider', () => {
    expect(refreshTokenName('gmail')).to.equal('GMAIL_REFRESH_TOKEN');
    expect(refreshTokenName('my-crm')).to.equal('MY_CRM_REFRESH_TOKEN');
  });

  it('is the first grant of the caller default, and is to be refreshed at its first use', async () => {
    const given = chain('refresh-1');
    const grant = await given.ask();
    expect(grant?.tokens).to.include({ refreshToken: 'refresh-1', lifetimeMs: 0 });
    expect(grant?.from.kind).to.equal('chain');
    expect(JSON.stringify(grant?.from)).to.not.contain('refresh-1');
  });

  it('is not used again after the provider has rotated it', async () => {
    const given = chain('refresh-1');
    const first = await given.ask();
    if (first === undefined) throw new Error('no grant');
    given.stored = { ...first, version: 2, tokens: { ...first.tokens, refreshToken: 'rotated', accessToken: 'access', lifetimeMs: 1000 } };
    expect((await given.ask())?.tokens.refreshToken).to.equal('rotated');
    expect(given.writes).to.have.length(1);
  });

  it('is used again when the operator changes it', async () => {
    const given = chain('refresh-1');
    await given.ask();
    given.token = 'refresh-2';
    expect((await given.ask())?.tokens.refreshToken).to.equal('refresh-2');
  });

  it('does not replace what another process has stored meanwhile', async () => {
    const given = chain('refresh-1');
    const first = await given.ask();
    if (first === undefined) throw new Error('no grant');
    const rotated = { ...first, version: 2, tokens: { ...first.tokens, refreshToken: 'rotated' } };
    given.stored = rotated;
    // This process looked before the other one wrote.
    expect(await given.grants.grantOf(owner, settings, undefined)).to.equal(rotated);
  });

  it('does not replace a login', async () => {
    const given = chain('refresh-1');
    const first = await given.ask();
    if (first === undefined) throw new Error('no grant');
    given.stored = { ...first, from: { kind: 'login' } };
    given.token = 'refresh-2';
    expect((await given.ask())?.from.kind).to.equal('login');
  });

  const others: readonly (readonly [string, Partial<GrantOwner>, Partial<OAuthSettings>])[] = [
    ['another caller', { caller: 'ada', tenant: 'ada' }, {}],
    ['another tenant', { tenant: 'acme' }, {}],
    ['another account', { account: 'work' }, {}],
    ['a provider without refresh tokens', {}, { grant: 'client_credentials' }],
  ];
  for (const [what, of, more] of others)
    it(`is nothing to ${what}`, async () => {
      const given = chain('refresh-1');
      expect(await given.ask({ ...owner, ...of }, more)).to.equal(undefined);
      expect(given.writes).to.have.length(0);
    });
});
