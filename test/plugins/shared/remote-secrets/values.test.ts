import { expect } from 'chai';
import type { RemoteOptions } from '../../../../plugins/shared/remote-secrets/remote-options.ts';
import { rejection } from '../../../support/rejection.ts';
import { stoppedDate } from '../../../support/stopped-date.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { stores } from './stores.ts';

const dollars = `$HOME $1 $& $$ $${'{SHOP}'}`;
const long = `$a{}\n${'é'.repeat(32 * 1024)}`;

const cases: readonly { what: string; holds: Record<string, unknown>; gives: string | undefined }[] = [
  { what: 'the name itself', holds: { SHOP_TOKEN: 'plain' }, gives: 'plain' },
  { what: 'the name before the prefixed one', holds: { TOOLKIT_SHOP_TOKEN: 'prefixed', SHOP_TOKEN: 'plain' }, gives: 'plain' },
  { what: 'the prefixed name otherwise', holds: { TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
  { what: 'the prefixed name when the other is empty', holds: { SHOP_TOKEN: '', TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
  { what: 'the prefixed name when the other is null', holds: { SHOP_TOKEN: null, TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
  { what: 'the prefixed name when the other is no text', holds: { SHOP_TOKEN: {}, TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
  { what: 'the name where another case stands beside it', holds: { SHOP_TOKEN: 'upper', shop_token: 'lower' }, gives: 'upper' },
  { what: 'nothing from an empty object', holds: {}, gives: undefined },
  { what: 'nothing for empty values', holds: { SHOP_TOKEN: '', TOOLKIT_SHOP_TOKEN: null }, gives: undefined },
  { what: 'nothing for a name that only begins so', holds: { SHOP_TOKEN_2: 'other' }, gives: undefined },
  { what: 'dollar signs as they are', holds: { SHOP_TOKEN: dollars }, gives: dollars },
  { what: 'braces as they are', holds: { SHOP_TOKEN: '{} {{a}} {OTHER_TOKEN}' }, gives: '{} {{a}} {OTHER_TOKEN}' },
  { what: 'newlines and spaces at the ends', holds: { SHOP_TOKEN: ' \n-----BEGIN-----\r\nx\n\t' }, gives: ' \n-----BEGIN-----\r\nx\n\t' },
  { what: 'quotes and backslashes', holds: { SHOP_TOKEN: '"\\n\'' }, gives: '"\\n\'' },
  { what: 'text outside ASCII', holds: { SHOP_TOKEN: 'Schlüssel 鍵 🔑 \u0000' }, gives: 'Schlüssel 鍵 🔑 \u0000' },
  { what: '64 kB', holds: { SHOP_TOKEN: long }, gives: long },
  { what: 'text that reads like JSON', holds: { SHOP_TOKEN: '{"a":1}' }, gives: '{"a":1}' },
  { what: 'a whole number as text', holds: { SHOP_TOKEN: 123456789012 }, gives: '123456789012' },
  { what: 'a whole number beyond 2^53 as text', holds: { SHOP_TOKEN: 2 ** 60 }, gives: '1152921504606847000' },
  { what: 'zero as text', holds: { SHOP_TOKEN: 0 }, gives: '0' },
  { what: 'a boolean as text', holds: { SHOP_TOKEN: false }, gives: 'false' },
];

const exactly = 'a number that text alone keeps exactly';
const unusable: readonly { what: string; value: unknown; received: string }[] = [
  { what: 'an object', value: { token: 'hidden-value' }, received: 'object' },
  { what: 'a list', value: ['hidden-value'], received: 'array of 1' },
  { what: 'a fraction', value: 1.25, received: exactly },
  { what: 'a number that JSON cannot hold exactly', value: 1e300, received: exactly },
];

const wrong: readonly { what: string; options: object; option: string }[] = [
  { what: 'a time of less than a second', options: { ttlMs: 999 }, option: 'ttlMs' },
  { what: 'a limit of no time', options: { timeoutMs: 0 }, option: 'timeoutMs' },
  { what: 'a limit that no timer can hold', options: { timeoutMs: 2 ** 31 }, option: 'timeoutMs' },
  { what: 'another reaction', options: { onError: 'ignore' }, option: 'onError' },
];

for (const { name, label, prepare, plugin, start } of stores) {
  describe(`${name}: names and values`, () => {
    prepare();
    const date = stoppedDate();

    for (const { what, holds, gives } of cases) {
      it(`give ${what}, without a warning`, async () => {
        const { asked } = await start(holds);
        expect((await asked.ask()).values).to.deep.equal(gives === undefined ? {} : { SHOP_TOKEN: gives });
        expect(asked.records).to.deep.equal([]);
      });
    }

    for (const { what, value, received } of unusable) {
      it(`do not give ${what}, and say so once, without the value`, async () => {
        const { asked } = await start({ SHOP_TOKEN: value, OTHER_TOKEN: {} });
        expect((await asked.ask()).values).to.deep.equal({});
        await asked.ask();
        expect(asked.records).to.deep.equal([
          {
            level: 'warn',
            message: `${label} has no usable value for "SHOP_TOKEN": expected text, received ${received}. Write it as text.`,
            meta: { name: 'SHOP_TOKEN' },
          },
        ]);
      });
    }

    for (const key of ['shop_token', 'Shop_Token', 'toolkit_shop_token', 'TOOLKIT_shop_token']) {
      it(`are not found as "${key}", and both names are in a warning, once`, async () => {
        const { asked } = await start({ [key]: 'hidden-value' });
        expect((await asked.ask()).values).to.deep.equal({});
        await asked.ask();
        expect(asked.logged('warn')).to.deep.equal([`${label} has no "SHOP_TOKEN", but it has "${key}". Write the name in the same case.`]);
        expect(JSON.stringify(asked.records)).to.not.include('hidden-value');
      });
    }

    it('are warned about again when something else is wrong with them', async () => {
      const { asked, write } = await start({ shop_token: 'hidden-value' });
      await asked.ask(['SHOP_TOKEN', 'SHOP_TOKEN']);
      write({ SHOP_TOKEN: {} });
      date.tick(300_000);
      await asked.ask();
      expect(asked.logged('warn')).to.have.length(2);
    });

    for (const key of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      it(`have nothing under the name ${key}, which every object has`, async () => {
        const { asked } = await start();
        expect(Object.keys((await asked.ask([key])).values)).to.deep.equal([]);
      });
    }

    it('have what is stored under the name __proto__', async () => {
      const { asked } = await start(JSON.parse('{"__proto__": "stored"}') as Record<string, unknown>);
      const { values } = await asked.ask(['__proto__']);
      expect(Object.getOwnPropertyDescriptor(values, '__proto__')?.value).to.equal('stored');
    });

    it('come from one read, however many names are asked for', async () => {
      const holds = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`TOKEN_${index}`, `value-${index}`]));
      const { server, asked } = await start(holds);
      const { values } = await asked.ask([...Object.keys(holds), 'MISSING_TOKEN']);
      expect(values).to.deep.equal(holds);
      expect(server.requests).to.have.length(1);
    });

    it('are not read when nothing is missing', async () => {
      const { server, asked } = await start();
      await asked.ask([]);
      expect(server.requests).to.deep.equal([]);
    });

    for (const { what, options, option } of wrong) {
      it(`refuse ${what} at the start`, async () => {
        const error = await rejection(bareKernel({ plugins: [plugin(options as RemoteOptions)] }), 'PLUGIN_INVALID');
        expect(error.message).to.include(`"${name}"`).and.to.include(option);
      });
    }
  });
}
