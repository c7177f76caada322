import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { rejection } from '../../../support/rejection.ts';
import { Browser, codeIn } from './browser.ts';
import { type ConnectSite, connectSite } from './connect-site.ts';

const ada = { tenant: 'shop', caller: 'ada', provider: 'mail' };
const minute = 60_000;

/** Logs in by a link. Returns the code of the page, and the page itself. */
async function logIn(site: ConnectSite): Promise<{ readonly code: string; readonly page: string }> {
  const browser = new Browser(site);
  const link = String(await site.connect.link(ada, []));
  const { text } = await browser.open(site.provider.redirectOf(await browser.goOn(link)));
  return { code: codeIn(text), page: text };
}

const refreshTokens = ({ provider }: ConnectSite): readonly string[] => provider.issued.filter((token) => token.includes('refresh'));

describe('accounts: logins whose code is not typed', () => {
  it('are ended by the process that has shown the code, when the code expires', async () => {
    const site = await connectSite({ hasSeveralCallers: true });
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
    try {
      await logIn(site);
      clock.tick(10 * minute);
      site.pass(10 * minute);
      expect(site.provider.revoked).to.deep.equal([]);
      clock.tick(minute);
      await site.connect.close();
    } finally {
      clock.restore();
    }
    expect(site.provider.revoked).to.deep.equal(refreshTokens(site));
    expect(site.logged.join('\n')).to.contain('its code was not typed in time');
  });

  it('are ended by another process when that one was killed', async () => {
    let now = 0;
    const state = new MemoryStore(() => now);
    const [killed, later] = [await connectSite({ state, hasSeveralCallers: true }), await connectSite({ state, hasSeveralCallers: true })];
    const { code } = await logIn(killed);
    now += 10 * minute;
    await later.connect.link({ ...ada, caller: 'bob' }, []);
    await later.connect.close();
    expect([killed.provider.revoked, later.provider.revoked]).to.deep.equal([[], refreshTokens(killed)]);
    await rejection(later.connect.confirm({ ...ada, code }), 'INVALID_PARAMETERS');
    expect(await state.list('connect/unconfirmed/')).to.deep.equal([]);
  });

  it('are ended once, however many processes look', async () => {
    let now = 0;
    const state = new MemoryStore(() => now);
    const sites = await Promise.all([1, 2, 3].map(() => connectSite({ state, hasSeveralCallers: true })));
    const [first] = sites as [ConnectSite];
    await logIn(first);
    now += 10 * minute;
    await Promise.all(sites.map(({ connect }) => connect.link({ ...ada, caller: 'bob' }, [])));
    await Promise.all(sites.map(({ connect }) => connect.close()));
    expect(sites.flatMap(({ provider }) => provider.revoked)).to.deep.equal(refreshTokens(first));
  });

  it('are left alone where the code was typed', async () => {
    const site = await connectSite({ hasSeveralCallers: true });
    const { code } = await logIn(site);
    await site.connect.confirm({ ...ada, code });
    site.pass(10 * minute);
    await site.connect.link({ ...ada, caller: 'bob' }, []);
    await site.connect.close();
    expect([site.provider.saved.length, site.provider.revoked]).to.deep.equal([1, []]);
  });

  it('leave no token at the provider when the account cannot be written', async () => {
    const site = await connectSite();
    site.provider.failSaving = true;
    expect((await logIn(site)).page).to.contain('The store is away');
    expect(site.provider.revoked).to.deep.equal(refreshTokens(site));
  });

  it('end although the provider does not take the revocation, which is logged', async () => {
    const site = await connectSite({ hasSeveralCallers: true });
    site.provider.revoke = async () => {
      throw new Error('away');
    };
    const { code } = await logIn(site);
    for (let n = 0; n < 5; n++) await rejection(site.connect.confirm({ ...ada, code: `CCCC-CCC${n}` }), 'INVALID_PARAMETERS');
    await rejection(site.connect.confirm({ ...ada, code }), 'INVALID_PARAMETERS');
    expect(site.logged.join('\n')).to.contain('were not revoked: away').and.not.contain(refreshTokens(site)[0]);
  });
});
