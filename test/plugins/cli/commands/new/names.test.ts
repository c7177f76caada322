import { expect } from 'chai';
import { problemOfFolderName, problemOfToolName } from '../../../../../plugins/cli/commands/new/names.ts';

describe('names of new files', () => {
  const tools: readonly [name: string, says: string | undefined][] = [
    ['shop_get_order', undefined],
    ['shop', undefined],
    ['http2_get', undefined],
    ['', 'is not snake_case'],
    ['shopGetOrder', 'Write "shop_get_order"'],
    ['Shop Get Order', 'Write "shop_get_order"'],
    ['shop-get-order', 'Write "shop_get_order"'],
    ['../shop', 'Write "shop"'],
    ['2fa_check', 'is not snake_case'],
    ['größe', 'is not snake_case'],
    ['shop__order', 'Write "shop_order"'],
    ['null', 'means something else in YAML'],
    ['x'.repeat(65), 'has 65 characters, and 64 are allowed'],
  ];
  for (const [name, says] of tools) {
    it(`${says === undefined ? 'takes' : 'does not take'} "${name}" for a tool`, () => {
      if (says === undefined) expect(problemOfToolName(name)).to.equal(undefined);
      else expect(problemOfToolName(name)).to.include(says);
    });
  }

  const folders: readonly [name: string, says: string | undefined][] = [
    ['shop', undefined],
    ['my-shop', undefined],
    ['my_shop', 'Write "my-shop"'],
    ['MyShop', 'Write "my-shop"'],
    ['@acme/shop', 'Write "acme-shop"'],
    ['-', 'is not small letters'],
    ['true', 'means something else in YAML'],
    ['x'.repeat(41), 'has 41 characters, and 40 are allowed'],
  ];
  for (const [name, says] of folders) {
    it(`${says === undefined ? 'takes' : 'does not take'} "${name}" for a provider or a plugin`, () => {
      if (says === undefined) expect(problemOfFolderName(name)).to.equal(undefined);
      else expect(problemOfFolderName(name)).to.include(says);
    });
  }
});
