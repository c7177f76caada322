import { expect } from 'chai';
import { reading } from '../../../fixtures/servers/vault-answers.ts';
import { cutBodies, sendCoded } from '../../support/coded-bodies.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
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

  it('are not those of an answer whose compressed body is cut off', async () => {
    const read = JSON.stringify(reading({ data: { SHOP_TOKEN: 'half' }, metadata: { version: 1 } }).body);
    for (const body of cutBodies(read)) {
      const { url } = await loopback((_, response) => sendCoded(response, body, 'application/json'));
      const asked = await asker({ env: envOf({ url }) });
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message, body.name).to.include('gave no whole answer');
    }
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
