import { expect } from 'chai';
import { asker, envOf, shop, vault } from './asking.ts';

describe('secrets-vault: names and values', () => {
  it('are those of the last version', async () => {
    const { server, asked } = await shop({ SHOP_TOKEN: 'first' });
    server.mounts.write('secret/data/toolkit', { SHOP_TOKEN: 'second' });
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'second' });
  });

  it('count although the deletion of the version is planned', async () => {
    const { server, asked } = await shop({});
    server.mounts.write('secret/data/toolkit', { SHOP_TOKEN: 'for a while' }, '2999-01-01T00:00:00Z');
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'for a while' });
  });

  const paths = [
    { secretPath: 'secret/data/shop', url: '/v1/secret/data/shop' },
    { secretPath: '/secret/data/shop/', url: '/v1/secret/data/shop' },
    { secretPath: 'team/kv/data/shop/eu', url: '/v1/team/kv/data/shop/eu' },
    { secretPath: 'data/data/data', url: '/v1/data/data/data' },
    { secretPath: 'secret/data/a b?x#y%2e', url: '/v1/secret/data/a%20b%3Fx%23y%252e' },
    { secretPath: 'secret/data/größe', url: '/v1/secret/data/gr%C3%B6%C3%9Fe' },
  ];
  for (const { secretPath, url } of paths) {
    it(`are read at ${url} for the path ${secretPath}`, async () => {
      const server = await vault({ secrets: { [secretPath.replace(/^\/|\/$/g, '')]: { SHOP_TOKEN: 'there' } } });
      const asked = await asker({ env: envOf(server), secretPath });
      expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'there' });
      expect(server.requests.map((request) => `${request.method} ${request.url}`)).to.deep.equal([`GET ${url}`]);
    });
  }
});
