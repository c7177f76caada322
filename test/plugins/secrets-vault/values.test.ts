import { expect } from 'chai';
import { asker, envOf, shop, vault } from './asking.ts';

const dollars = `$HOME $1 $& $$ $${'{SHOP}'}`;

describe('secrets-vault: names and values', () => {
  const cases: { what: string; holds: Record<string, unknown>; gives: string | undefined }[] = [
    { what: 'the name itself', holds: { SHOP_TOKEN: 'plain' }, gives: 'plain' },
    { what: 'the name before the prefixed one', holds: { TOOLKIT_SHOP_TOKEN: 'prefixed', SHOP_TOKEN: 'plain' }, gives: 'plain' },
    { what: 'the prefixed name otherwise', holds: { TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
    { what: 'the prefixed name when the other is empty', holds: { SHOP_TOKEN: '', TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
    { what: 'the prefixed name when the other is null', holds: { SHOP_TOKEN: null, TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
    { what: 'the prefixed name when the other is no text', holds: { SHOP_TOKEN: {}, TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
    { what: 'nothing for empty values', holds: { SHOP_TOKEN: '', TOOLKIT_SHOP_TOKEN: '' }, gives: undefined },
    { what: 'nothing for null', holds: { SHOP_TOKEN: null }, gives: undefined },
    { what: 'nothing for a name that only begins so', holds: { SHOP_TOKEN_2: 'other' }, gives: undefined },
    { what: 'nothing for another case', holds: { shop_token: 'lower' }, gives: undefined },
    { what: 'dollar signs as they are', holds: { SHOP_TOKEN: dollars }, gives: dollars },
    { what: 'braces as they are', holds: { SHOP_TOKEN: '{} {{a}} {OTHER_TOKEN}' }, gives: '{} {{a}} {OTHER_TOKEN}' },
    { what: 'newlines and spaces at the ends', holds: { SHOP_TOKEN: ' \n-----BEGIN-----\r\nx\n' }, gives: ' \n-----BEGIN-----\r\nx\n' },
    { what: 'quotes and backslashes', holds: { SHOP_TOKEN: '"\\n\'' }, gives: '"\\n\'' },
    { what: 'text outside ASCII', holds: { SHOP_TOKEN: 'Schlüssel 鍵 🔑 \u0000' }, gives: 'Schlüssel 鍵 🔑 \u0000' },
    { what: '64 kB', holds: { SHOP_TOKEN: 'é'.repeat(32 * 1024) }, gives: 'é'.repeat(32 * 1024) },
    { what: 'text that reads like JSON', holds: { SHOP_TOKEN: '{"a":1}' }, gives: '{"a":1}' },
    { what: 'a whole number as text', holds: { SHOP_TOKEN: 5432 }, gives: '5432' },
    { what: 'zero as text', holds: { SHOP_TOKEN: 0 }, gives: '0' },
    { what: 'a boolean as text', holds: { SHOP_TOKEN: false }, gives: 'false' },
  ];
  for (const { what, holds, gives } of cases) {
    it(`give ${what}`, async () => {
      const { asked } = await shop(holds);
      const { values } = await asked.ask();
      expect(values).to.deep.equal(gives === undefined ? {} : { SHOP_TOKEN: gives });
    });
  }

  const unusable: { what: string; value: unknown; received: string }[] = [
    { what: 'an object', value: { token: 'hidden-value' }, received: 'object' },
    { what: 'a list', value: ['hidden-value'], received: 'array of 1' },
    { what: 'a fraction', value: 1.25, received: 'a number that text alone keeps exactly' },
    { what: 'a number that JSON cannot hold exactly', value: 2 ** 53, received: 'a number that text alone keeps exactly' },
  ];
  for (const { what, value, received } of unusable) {
    it(`do not give ${what}, and say so once, without the value`, async () => {
      const { asked } = await shop({ SHOP_TOKEN: value });
      expect((await asked.ask()).values).to.deep.equal({});
      await asked.ask();
      expect(asked.records).to.deep.equal([
        {
          level: 'warn',
          message: `Vault has no usable value for "SHOP_TOKEN": expected text, received ${received}. Write it as text.`,
          meta: { name: 'SHOP_TOKEN' },
        },
      ]);
    });
  }

  for (const key of ['shop_token', 'Shop_Token', 'toolkit_shop_token', 'TOOLKIT_shop_token']) {
    it(`are not found as "${key}", and both names are in a warning, once`, async () => {
      const { asked } = await shop({ [key]: 'hidden-value' });
      expect((await asked.ask()).values).to.deep.equal({});
      await asked.ask();
      expect(asked.logged('warn')).to.deep.equal([`Vault has no "SHOP_TOKEN", but it has "${key}". Write the name in the same case.`]);
      expect(JSON.stringify(asked.records)).to.not.include('hidden-value');
    });
  }

  it('need no warning where another case stands beside the name', async () => {
    const { asked } = await shop({ SHOP_TOKEN: 'upper', shop_token: 'lower' });
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'upper' });
    expect(asked.records).to.deep.equal([]);
  });

  it('need no warning where the value is empty', async () => {
    const { asked } = await shop({ SHOP_TOKEN: '', TOOLKIT_SHOP_TOKEN: null });
    await asked.ask();
    expect(asked.records).to.deep.equal([]);
  });

  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    it(`have nothing under the name ${name}, which every object has`, async () => {
      const { asked } = await shop({ SHOP_TOKEN: 'plain' });
      expect((await asked.ask([name])).values).to.deep.equal({});
    });
  }

  it('have what is stored under the name __proto__', async () => {
    const { asked } = await shop(JSON.parse('{"__proto__": "stored"}') as Record<string, unknown>);
    const { values } = await asked.ask(['__proto__']);
    expect(Object.getOwnPropertyDescriptor(values, '__proto__')?.value).to.equal('stored');
  });

  it('come from one read, however many names are asked for', async () => {
    const holds = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`TOKEN_${index}`, `value-${index}`]));
    const { server, asked } = await shop(holds);
    const { values } = await asked.ask([...Object.keys(holds), 'MISSING_TOKEN']);
    expect(values).to.deep.equal(holds);
    expect(server.requests).to.have.length(1);
  });

  it('are not read when nothing is missing', async () => {
    const { server, asked } = await shop();
    await asked.ask([]);
    expect(server.requests).to.deep.equal([]);
  });

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
