import { expect } from 'chai';
import { type AccountService, accountService } from '../../../plugins/shared/oauth/account-service.ts';
import { rejection } from '../../support/rejection.ts';
import { type AccountSite, accountSite } from './account-site.ts';

const ann = { provider: 'acme', caller: 'ann', tenant: 'ann' };
const { signal } = new AbortController();
const baseUrl = 'https://tools.example';

function serviceOf({ kernel }: AccountSite): AccountService {
  const [fact] = kernel.facts(accountService);
  if (fact === undefined) throw new Error('the kernel keeps no accounts');
  return fact.value;
}

describe('access for a plugin that sends tokens itself', () => {
  it('names the command alone, unless a link is wanted and a server runs', async () => {
    const site = await accountSite();
    const { access } = serviceOf(site);
    const command = 'toolkit auth login acme --as ann';
    expect((await rejection(access({ ...ann, offersLink: true, signal }), 'AUTH_REQUIRED')).details).not.to.have.property('url');
    site.kernel.httpRoutes.serve({ baseUrl, hasSeveralCallers: true });
    expect((await rejection(access({ ...ann, signal }), 'AUTH_REQUIRED')).details).not.to.have.property('url');
    const error = await rejection(access({ ...ann, offersLink: true, signal }), 'AUTH_REQUIRED');
    expect(error.details).to.include({ command });
    expect(error.details.url).to.match(/^https:\/\/tools\.example\/accounts\/connect\/[\w-]+$/);
    expect(error.message).to.contain(`${error.details.url} in a browser`).and.contain(command);
  });

  it('names the missing scopes with the link', async () => {
    const site = await accountSite();
    site.kernel.httpRoutes.serve({ baseUrl, hasSeveralCallers: false });
    await site.login({ caller: 'ann', tenant: 'ann' });
    const wanted = { ...ann, scopes: ['read', 'write'], offersLink: true, signal };
    const error = await rejection(serviceOf(site).access(wanted), 'AUTH_REQUIRED');
    expect(error.details).to.deep.include({ scopes: ['write'], account: 'default' });
    expect(error.details.url).to.be.a('string');
    expect((await serviceOf(site).access({ ...wanted, scopes: ['read'] })).account).to.equal('default');
  });
});
