import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import { afterEach } from '../../support/after-each.ts';
import { rejection } from '../../support/rejection.ts';
import { accountSite, client, holder } from './account-site.ts';

const hourMs = 3_600_000;

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.restore();
});

const clocks: ReturnType<typeof useFakeTimers>[] = [];

/** The clock of this process, which is that of the authorization server too. */
function clock(): ReturnType<typeof useFakeTimers> {
  const made = useFakeTimers({ toFake: ['Date'], now: Date.now() });
  clocks.push(made);
  return made;
}

describe('a call with an account', () => {
  it('uses the account of its caller, and names it', async () => {
    const site = await accountSite();
    await site.login();
    const { output, meta } = await site.kernel.call({ tool: 'acme_whoami', parameters: {} });
    expect(output).to.deep.include({ account: 'ann@acme.example' });
    expect(meta?.account).to.deep.equal({ acme: 'ann@acme.example' });
  });

  it('gives each caller its own account, and none to others', async () => {
    const site = await accountSite();
    for (const person of ['ann', 'bob']) {
      site.server.person = `${person}@acme.example`;
      await site.login({ caller: person, tenant: person });
    }
    expect((await site.whoami('ann')).account).to.equal('ann@acme.example');
    expect((await site.whoami('bob')).account).to.equal('bob@acme.example');
    const error = await rejection(site.whoami('eve'), 'AUTH_REQUIRED');
    expect(error.details).to.include({ provider: 'acme', command: 'toolkit auth login acme --as eve' });
    await rejection(site.whoami('ann', { tenant: 'other' }), 'AUTH_REQUIRED');
  });

  it('never gives another caller the secret of the resolver chain where people can log in', async () => {
    const site = await accountSite({ secrets: { ...client, ACME_TOKEN: 'shared-token' } });
    await rejection(site.whoami('ann'), 'AUTH_REQUIRED');
    // The shared token is wrong, so the service refuses it.
    await rejection(site.whoami('default'), 'AUTH_FAILED');
  });

  it('leaves the resolver chain to all while no client is configured', async () => {
    const site = await accountSite({ secrets: {} });
    const error = await rejection(site.whoami('default'), 'MISSING_PARAMETER');
    expect(error.message).to.contain('ACME_TOKEN');
    await rejection(site.whoami('ann'), 'MISSING_PARAMETER');
  });

  it('refreshes before the end of the token, once for all calls', async () => {
    const time = clock();
    const site = await accountSite();
    await site.login();
    time.tick(hourMs - 30_000);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => site.whoami()));
    expect(new Set(answers.map(({ account }) => account))).to.deep.equal(new Set(['ann@acme.example']));
    expect(site.server.tokenRequests.filter(({ grant }) => grant === 'refresh_token')).to.have.length(1);
    time.tick(hourMs * 3);
    expect((await site.whoami()).account).to.equal('ann@acme.example');
    expect(site.server.tokenRequests.filter(({ grant }) => grant === 'refresh_token')).to.have.length(2);
  });

  it('refreshes once after a 401, and sends the read again', async () => {
    const time = clock();
    // The service ends tokens earlier than it says.
    const site = await accountSite();
    await site.login();
    const [grant] = await site.accounts.accountsOf(holder);
    if (grant === undefined) throw new Error('no grant');
    await site.accounts.grants.save({ ...grant, tokens: { ...grant.tokens, lifetimeMs: 100 * hourMs } });
    time.tick(2 * hourMs);
    expect((await site.whoami()).account).to.equal('ann@acme.example');
    expect(site.server.tokenRequests.filter(({ grant: kind }) => kind === 'refresh_token')).to.have.length(1);
  });

  it('says that a new login is needed when the provider refuses the refresh, with the command', async () => {
    const time = clock();
    const site = await accountSite();
    await site.login({ account: 'work' });
    const [grant] = await site.accounts.accountsOf(holder);
    if (grant === undefined) throw new Error('no grant');
    await site.accounts.grants.save({ ...grant, tokens: { ...grant.tokens, refreshToken: 'wrong-refresh-token' } });
    time.tick(2 * hourMs);
    const error = await rejection(site.whoami(), 'AUTH_REQUIRED');
    expect(error.message).to.contain('toolkit auth login acme --account work').and.not.contain('wrong-refresh-token');
    expect((await site.accounts.accountsOf(holder))[0]?.needsLogin?.reason).to.equal('refused');
  });

  it('sends a refresh token to no other address and for no other client than those of its login', async () => {
    const time = clock();
    const site = await accountSite();
    await site.login();
    const moved = await accountSite({ server: site.server, store: site.store, secrets: { ...client, ACME_CLIENT_ID: 'other' } });
    time.tick(2 * hourMs);
    const error = await rejection(moved.whoami(), 'AUTH_REQUIRED');
    expect(error.message).to.contain('another client or other addresses');
    expect(site.server.tokenRequests.filter(({ grant }) => grant === 'refresh_token')).to.have.length(0);
    expect((await site.whoami()).account, 'the grant still serves its own client').to.equal('ann@acme.example');
  });

  const choices = [
    { accounts: ['work'], use: undefined, expected: 'work@acme.example' },
    { accounts: ['default', 'work'], use: undefined, expected: 'default@acme.example' },
    { accounts: ['default', 'work'], use: 'work', expected: 'work@acme.example' },
    { accounts: ['home', 'work'], use: 'home', expected: 'home@acme.example' },
  ] as const;
  for (const { accounts, use, expected } of choices)
    it(`uses ${expected} of the accounts ${accounts.join(', ')} with ${use === undefined ? 'no choice' : `the choice "${use}"`}`, async () => {
      const site = await accountSite({ options: use === undefined ? {} : { use: { acme: use } } });
      for (const account of accounts) {
        site.server.person = `${account}@acme.example`;
        await site.login({ account });
      }
      expect((await site.whoami()).account).to.equal(expected);
    });

  it('lists the accounts when none is chosen, and says when the chosen one is missing', async () => {
    const site = await accountSite();
    await site.login({ account: 'home' });
    await site.login({ account: 'work' });
    expect((await rejection(site.whoami(), 'AUTH_REQUIRED')).message).to.contain('home, work');
    const chosen = await accountSite({ server: site.server, store: site.store, options: { use: { acme: 'third' } } });
    expect((await rejection(chosen.whoami(), 'AUTH_REQUIRED')).message)
      .to.contain('"third"')
      .and.contain('--account third');
  });
});
