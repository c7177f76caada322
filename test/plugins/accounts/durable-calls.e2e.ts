import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import type { DurableHandle, DurableOptions } from '../../../kernel/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { rejection } from '../../support/rejection.ts';
import { type AccountSite, accountSite } from './account-site.ts';

const clocks: { restore(): void }[] = [];

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.restore();
});

const plugins = () => [callsOnce(), engineLocal({ concurrency: 0 })];

/** A process that submits calls and runs none. */
const submitting = (): Promise<AccountSite> => accountSite({ plugins: plugins() });

/** A later process on the same store. It runs the calls. */
async function restarted({ server, store, kernel }: AccountSite): Promise<AccountSite> {
  await kernel.close();
  const site = await accountSite({ server, store, plugins: plugins() });
  await site.kernel.calls.work({ concurrency: 1 });
  return site;
}

const submit = ({ kernel }: AccountSite, options: Omit<DurableOptions, 'durable'>): Promise<DurableHandle> =>
  kernel.execute('acme_whoami', {}, { durable: true, ...options }) as never;

describe('a durable call with an account', () => {
  it('uses the account of its caller and of its tenant after a restart, where two tenants have a caller of one name', async () => {
    const first = await submitting();
    for (const tenant of ['north', 'south']) {
      first.server.person = `ann@${tenant}.example`;
      await first.login({ tenant, caller: 'ann' });
    }
    const share = { caller: 'ann', tenant: 'share of a session' };
    await submit(first, { ...share, id: 'n', accountTenant: 'north' });
    await submit(first, { ...share, id: 's', accountTenant: 'south' });
    await submit(first, { caller: 'ann', id: 't', tenant: 'south' });
    const second = await restarted(first);
    const answers = await Promise.all(
      ['n', 's', 't'].map(async (id) => (await second.kernel.calls.get(id, { caller: 'ann' })).result() as Promise<{ account: string }>),
    );
    expect(answers.map(({ account }) => account)).to.deep.equal(['ann@north.example', 'ann@south.example', 'ann@south.example']);
  });

  it('is another call than that of another tenant with its name', async () => {
    const site = await submitting();
    await submit(site, { caller: 'ann', id: 'a', accountTenant: 'north' });
    await submit(site, { caller: 'ann', id: 'a', accountTenant: 'north' });
    const error = await rejection(submit(site, { caller: 'ann', id: 'a', accountTenant: 'south' }), 'INVALID_PARAMETERS');
    expect(error.message).to.contain('of another tenant');
  });

  it('refreshes the token that ended while the call waited', async () => {
    const clock = useFakeTimers({ toFake: ['Date'], now: Date.now() });
    clocks.push(clock);
    const first = await submitting();
    await first.login({ tenant: 'ann', caller: 'ann' });
    await submit(first, { caller: 'ann', id: 'a' });
    clock.tick(2 * 3_600_000);
    const second = await restarted(first);
    const answer = await (await second.kernel.calls.get('a', { caller: 'ann' })).result();
    expect(answer).to.deep.include({ account: 'ann@acme.example' });
    expect(second.server.tokenRequests.map(({ grant }) => grant)).to.deep.equal(['authorization_code', 'refresh_token']);
  });

  it('ends as failed without an account, with the command, and has its effect when it is tried again after the login', async () => {
    const first = await submitting();
    await submit(first, { caller: 'ann', id: 'a', accountTenant: 'north' });
    const second = await restarted(first);
    const handle = await second.kernel.calls.get('a', { caller: 'ann' });
    const error = await rejection(handle.result(), 'AUTH_REQUIRED');
    const command = 'toolkit auth login acme --as ann --tenant north';
    expect(error.message).to.contain(command);
    expect(await handle.call()).to.deep.include({ status: 'failed', attempts: 1 });
    await second.login({ tenant: 'north', caller: 'ann' });
    await second.kernel.calls.retry('a', { caller: 'ann' });
    expect(await handle.result()).to.deep.include({ account: 'ann@acme.example' });
  });
});
