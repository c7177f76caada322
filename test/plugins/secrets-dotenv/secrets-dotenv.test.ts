import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { EnvFile } from '../../../plugins/secrets-dotenv/env-file.ts';
import { secretsDotenv } from '../../../plugins/secrets-dotenv/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { checkPlugin, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { envFolder } from './env-folder.ts';

describe('secrets from an environment file', () => {
  it('are found in the file that is named, from the folder of the configuration on', async () => {
    const { folder, value } = await envFolder('SHOP_TOKEN=default', { path: 'config/shop.env' });
    await mkdir(path.join(folder, 'config'));
    await writeFile(path.join(folder, 'config/shop.env'), 'SHOP_TOKEN=named', { mode: 0o600 });
    expect(await value('SHOP_TOKEN')).to.equal('named');
  });

  it('need no file as long as none is named', async () => {
    const { value, records } = await envFolder(undefined);
    expect(await value('SHOP_TOKEN')).to.equal(undefined);
    expect(records.filter(({ level }) => level !== 'debug')).to.deep.equal([]);
  });

  it('come from a file that is written after the start', async () => {
    const { file, value } = await envFolder(undefined);
    expect(await value('SHOP_TOKEN')).to.equal(undefined);
    await writeFile(file, 'SHOP_TOKEN=later-one', { mode: 0o600 });
    expect(await value('SHOP_TOKEN')).to.equal('later-one');
  });

  it('come from the file as it is when they are needed', async () => {
    const { file, value } = await envFolder('A_TOKEN=first-one\nB_TOKEN=second-one');
    expect(await value('A_TOKEN')).to.equal('first-one');
    await writeFile(file, 'A_TOKEN=first-one\nB_TOKEN=another');
    expect(await value('B_TOKEN')).to.equal('another');
  });

  it('are read again when older ones were refused, also from the same file', async () => {
    const env = { A: 'one' };
    const { folder } = await envFolder('SHOP_TOKEN=$A-token');
    const file = new EnvFile({ path: path.join(folder, '.env'), isRequired: true, env, logger: memoryLogger() });
    const read = async (isFresh: boolean) => (await file.read(isFresh)).get('SHOP_TOKEN');
    expect(await read(false)).to.equal('one-token');
    env.A = 'two';
    expect(await read(false)).to.equal('one-token');
    expect(await read(true)).to.equal('two-token');
  });

  it('do not outlive their file', async () => {
    const { file, value } = await envFolder('A_TOKEN=first-one\nB_TOKEN=second-one');
    expect(await value('A_TOKEN')).to.equal('first-one');
    await rm(file);
    expect(await value('B_TOKEN')).to.equal(undefined);
  });

  it('leave the environment of the process alone and print nothing', async () => {
    const before = { ...process.env };
    const prints = [sinon.spy(process.stdout, 'write'), sinon.spy(process.stderr, 'write')];
    try {
      const { value } = await envFolder('SHOP_TOKEN=a-$HOME\nHOME=/nowhere\nPATH=/nowhere\nDEBUG=true', { env: { HOME: '/home/me' } });
      expect(await value('SHOP_TOKEN')).to.equal('a-/home/me');
      expect(prints.flatMap((print) => print.args)).to.deep.equal([]);
    } finally {
      for (const print of prints) print.restore();
    }
    expect({ ...process.env }).to.deep.equal(before);
  });

  it('leave a given environment alone', async () => {
    const env = { HOME: '/home/me' };
    const { value } = await envFolder('SHOP_TOKEN=a-$HOME\nHOME=/nowhere', { env });
    expect(await value('SHOP_TOKEN')).to.equal('a-/home/me');
    expect(env).to.deep.equal({ HOME: '/home/me' });
  });

  it('are logged by name and resolver, never by value', async () => {
    const { value, records } = await envFolder('SHOP_TOKEN=value-of-shop\nOTHER_TOKEN=value-of-other-$nothing\nshop_key=value-of-key');
    await value('SHOP_TOKEN');
    await value('SHOP_KEY');
    expect(records).to.deep.include({
      level: 'debug',
      message: 'secret resolved',
      meta: { name: 'SHOP_TOKEN', resolver: 'secrets-dotenv' },
    });
    expect(JSON.stringify(records)).to.not.include('value-of');
  });

  it('in another case are named in one warning', async () => {
    const { value, warnings, file } = await envFolder('shop_token=lower\nToolkit_Shop_Key=mixed');
    for (const name of ['SHOP_TOKEN', 'SHOP_TOKEN', 'SHOP_KEY']) expect(await value(name)).to.equal(undefined);
    expect(warnings()).to.deep.equal([
      `The secret SHOP_TOKEN is not in ${file}, but shop_token is. Write the name in the same case.`,
      `The secret SHOP_KEY is not in ${file}, but Toolkit_Shop_Key is. Write the name in the same case.`,
    ]);
  });

  it('come from a plugin that keeps the contract', async () => {
    expect(await checkPlugin(secretsDotenv)).to.deep.equal([]);
  });
});

describe('an environment file that other accounts can open', () => {
  // Windows knows no such modes.
  const modes = process.platform === 'win32' ? [] : [0o640, 0o604, 0o620, 0o666];
  for (const mode of modes) {
    const shown = mode.toString(8);
    it(`is warned about once, with mode ${shown}`, async () => {
      const { file, value, warnings } = await envFolder('A_TOKEN=first-one\nB_TOKEN=second-one');
      await chmod(file, mode);
      await value('A_TOKEN');
      await writeFile(file, 'B_TOKEN=changed-one');
      expect(await value('B_TOKEN')).to.equal('changed-one');
      expect(warnings()).to.deep.equal([`${file} is open to other accounts of this machine (mode ${shown}). Run: chmod 600 ${file}`]);
    });
  }

  it('is not warned about when only its owner can', async () => {
    const { value, warnings } = await envFolder('A_TOKEN=first-one');
    await value('A_TOKEN');
    expect(warnings()).to.deep.equal([]);
  });
});

describe('an environment file that cannot be used', () => {
  const make: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
    'a directory': (file) => mkdir(file),
    'a loop of links': (file) => symlink(file, file),
    'not UTF-8': (file) => writeFile(file, Buffer.from([0x41, 0x3d, 0xff, 0xfe])),
    'UTF-16': (file) => writeFile(file, Buffer.from('\uFEFFSHOP_TOKEN=value', 'utf16le')),
    'too large': (file) => writeFile(file, `SHOP_TOKEN=value\n#${'x'.repeat(1024 * 1024)}`),
    'all blank lines': (file) => writeFile(file, `SHOP_TOKEN=value\n${'\n'.repeat(1024 * 1024 - 100)}`),
    'full of references': (file) => writeFile(file, `SHOP_TOKEN=${'$A'.repeat(200_000)}`),
    'growing without end': (file) =>
      writeFile(file, Array.from({ length: 40 }, (_, index) => `V${index + 1}=\${V${index}:-value}\${V${index}:-value}`).join('\n')),
  };
  const says: Readonly<Record<string, string>> = {
    'a directory': 'is a directory. Name a file of NAME=value lines in the option "path" of secrets-dotenv.',
    'a loop of links': 'cannot be read (ELOOP). Give the account that runs this program the right to read it.',
    'not UTF-8': 'is not UTF-8 text: expected UTF-8, received another encoding (byte 2). Save it as UTF-8.',
    'UTF-16': 'is not UTF-8 text: expected UTF-8, received UTF-16 (byte 0). Save it as UTF-8.',
    'too large': 'has 1048594 bytes, and at most 1048576 are read. Keep only secrets in it.',
    'all blank lines': 'has more than 1000 blank characters or lines in a row. Remove them.',
    'full of references': 'has too much to expand in SHOP_TOKEN. Write \\$ for a dollar sign.',
    'growing without end': 'has too much to expand in V18. Write \\$ for a dollar sign.',
  };
  for (const [what, create] of Object.entries(make)) {
    it(`is refused when it is ${what}`, async () => {
      const { file, value } = await envFolder(undefined);
      await create(file);
      const error = await rejection(value('SHOP_TOKEN'), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.equal(`The environment file ${file} ${says[what]}`);
      expect(error.retryable).to.equal(false);
      expect(error.message).to.not.include('value\n');
    });
  }

  it('is refused when it was named and does not exist', async () => {
    const { folder, value } = await envFolder('SHOP_TOKEN=default', { path: 'missing.env' });
    const error = await rejection(value('SHOP_TOKEN'), 'SECRET_STORE_UNAVAILABLE');
    const file = path.join(folder, 'missing.env');
    expect(error.message).to.equal(
      `The environment file ${file} does not exist. Create it, or correct the option "path" of secrets-dotenv.`,
    );
    expect(error.details).to.include({ plugin: 'secrets-dotenv', file });
  });

  it('ends the search, so that no weaker resolver answers in its place', async () => {
    const { kernel, value } = await envFolder(undefined, { path: 'missing.env' }, [secretsEnv({ env: { SHOP_TOKEN: 'weaker' } })]);
    await rejection(value('SHOP_TOKEN'), 'SECRET_STORE_UNAVAILABLE');
    expect(kernel.secret('SHOP_TOKEN')).to.equal(undefined);
  });

  it('is passed over with one warning when the option onError says skip', async () => {
    const { folder, value, warnings } = await envFolder(undefined, { path: 'missing.env', onError: 'skip' }, [
      secretsEnv({ env: { SHOP_TOKEN: 'later-one' } }),
    ]);
    expect(await value('OTHER_TOKEN')).to.equal(undefined);
    expect(await value('SHOP_TOKEN')).to.equal('later-one');
    expect(warnings()).to.deep.equal([
      `The environment file ${path.join(folder, 'missing.env')} does not exist. Create it, or correct the option "path" of secrets-dotenv. Going on without it.`,
    ]);
  });

  it('is used once it has been mended', async () => {
    const { file, value } = await envFolder(undefined);
    await mkdir(file);
    await rejection(value('SHOP_TOKEN'), 'SECRET_STORE_UNAVAILABLE');
    await rm(file, { recursive: true });
    await writeFile(file, 'SHOP_TOKEN=mended', { mode: 0o600 });
    expect(await value('SHOP_TOKEN')).to.equal('mended');
  });
});
