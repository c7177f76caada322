import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { createKernel, revealSecret, Secret } from '../../../../kernel/index.ts';
import { secretsDotenv } from '../../../../plugins/secrets-dotenv/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { storeSecrets } from '../../../../plugins/upstreams/commands/store-secrets.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const secret = (value?: string, name = 'SHOP_TOKEN') => ({
  name,
  usedBy: ['shop: env TOKEN'],
  ...(value === undefined ? {} : { value: new Secret(name, value) }),
});
const envOf = (folder: string): Promise<string> => readFile(path.join(folder, '.env'), 'utf8');

describe('the secrets of an added server', () => {
  const values = ['plain', 'a b', "it's", 'say "x"', 'a$b', `$\{HOME}`, 'a#b', ' edge ', 'back\\nslash', 'two\nlines', 'it\'s "all"'];
  for (const value of values)
    it(`are resolved as they were given: ${JSON.stringify(value)}`, async () => {
      const folder = await temporaryFolder();
      await storeSecrets(folder, [secret(value)], false);
      const plugins = [secretsDotenv({ env: {} })];
      await using kernel = await createKernel({ cwd: folder, logger: memoryLogger(), plugins });
      await kernel.resolveSecrets(['SHOP_TOKEN']);
      expect(revealSecret(kernel.secret('SHOP_TOKEN') as Secret)).to.equal(value);
      expect((await stat(path.join(folder, '.env'))).mode & 0o777).to.equal(0o600);
    });

  for (const line of ['SHOP_TOKEN=earlier', 'export SHOP_TOKEN="earlier"', 'TOOLKIT_SHOP_TOKEN=earlier'])
    it(`never replace another value without a word: ${line}`, async () => {
      const folder = await temporaryFolder({ '.env': `A=1\n${line}\nB=2\n` });
      const { message } = await rejection(storeSecrets(folder, [secret('planted-5ecret')], false), 'INVALID_PARAMETERS');
      expect(message).to.include('has another value for SHOP_TOKEN').and.include('--replace-secret').and.not.include('planted');
      expect(await envOf(folder)).to.equal(`A=1\n${line}\nB=2\n`);
    });

  it('replace it with --replace-secret, and nothing else', async () => {
    const folder = await temporaryFolder({ '.env': '# mine\nA=1\nexport SHOP_TOKEN=earlier\nSHOP_TOKEN_2=other\n' });
    await storeSecrets(folder, [secret('later')], true);
    expect(await envOf(folder)).to.equal('# mine\nA=1\nSHOP_TOKEN_2=other\nSHOP_TOKEN=later\n');
  });

  it('are not written twice when the value is the same', async () => {
    const folder = await temporaryFolder({ '.env': "SHOP_TOKEN='sa\\$me'\n" });
    const { stored } = await storeSecrets(folder, [secret('sa$me')], false);
    expect([...stored.keys()]).to.deep.equal(['SHOP_TOKEN']);
    expect(await envOf(folder)).to.equal("SHOP_TOKEN='sa\\$me'\n");
  });

  it('are taken from .env where a value names them', async () => {
    const folder = await temporaryFolder({ '.env': 'SHOP_TOKEN=there\n' });
    const { stored, notes } = await storeSecrets(folder, [secret(), secret(undefined, 'OTHER')], false);
    expect([...stored.keys()]).to.deep.equal(['SHOP_TOKEN']);
    expect(notes).to.deep.equal(['Provide the secret OTHER (shop: env TOKEN), such as in .env.']);
  });

  it('are refused where .env has no form for them', async () => {
    await rejection(storeSecrets(await temporaryFolder(), [secret('\'"`')], false), 'INVALID_PARAMETERS');
  });
});
