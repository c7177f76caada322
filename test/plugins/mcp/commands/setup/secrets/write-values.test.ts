import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { revealSecret, Secret } from '../../../../../../kernel/index.ts';
import { writeValues } from '../../../../../../plugins/mcp/commands/setup/secrets/write-values.ts';
import { secretsDotenv } from '../../../../../../plugins/secrets-dotenv/index.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { bareKernel } from '../../../../../support/test-kernel.ts';

/** Reads secrets from the file as the server does. */
async function secretsIn(file: string, names: readonly string[]): Promise<Record<string, string>> {
  const kernel = await bareKernel({ plugins: [secretsDotenv({ path: file, env: { HOME: '/root' } })] });
  await kernel.resolveSecrets(names);
  return Object.fromEntries(names.map((name) => [name, revealSecret(kernel.secret(name) ?? new Secret(name, ''))]));
}

const write = (file: string, values: Readonly<Record<string, string>>): Promise<void> => writeValues(file, new Map(Object.entries(values)));

describe('writing values into a file of secrets', () => {
  const values = {
    plain: 'xoxb-12-ab_CD/+==',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a value
    'a dollar sign': 'pa$$word$HOME${HOME}',
    'a backslash before a dollar sign': 'a\\$HOME',
    'a number sign': 'a#b',
    blanks: ' two  words ',
    quotes: `it's "so"`,
    'a backslash at the end': `it's\\`,
    'an n after a backslash': 'C:\\new',
    'several lines': '-----BEGIN KEY-----\nAbC=\n-----END KEY-----\n',
    'lines of Windows': 'one\r\ntwo',
    'another alphabet': 'пароль',
  };
  for (const [title, value] of Object.entries(values)) {
    it(`gives the server the same value with ${title}`, async () => {
      const folder = await temporaryFolder({ '.env': 'OTHER="kept"\n' });
      const file = path.join(folder, '.env');
      await write(file, { SHOP_TOKEN: value, LAST: 'end' });
      expect(await secretsIn(file, ['OTHER', 'SHOP_TOKEN', 'LAST'])).to.deep.equal({ OTHER: 'kept', SHOP_TOKEN: value, LAST: 'end' });
    });
  }

  const texts: { title: string; before: string; after: string }[] = [
    { title: 'an empty one', before: '', after: 'SHOP_TOKEN=new\n' },
    { title: 'one without a line feed at its end', before: 'A=1', after: 'A=1\nSHOP_TOKEN=new\n' },
    { title: 'one with comments', before: '# mine\nexport A = "1" # one\n\n', after: '# mine\nexport A = "1" # one\n\nSHOP_TOKEN=new\n' },
    { title: 'one of Windows', before: 'A=1\r\n', after: 'A=1\r\nSHOP_TOKEN=new\r\n' },
    { title: 'one that has the name without a value', before: 'SHOP_TOKEN=\nA=1\n', after: 'SHOP_TOKEN=\nA=1\nSHOP_TOKEN=new\n' },
  ];
  for (const { title, before, after } of texts) {
    it(`keeps what stands in ${title}`, async () => {
      const file = path.join(await temporaryFolder({ '.env': before }), '.env');
      await write(file, { SHOP_TOKEN: 'new' });
      expect(await readFile(file, 'utf8')).to.equal(after);
    });
  }

  const refusals: { title: string; before: string; value: string; says: RegExp }[] = [
    {
      title: 'has a value of that name',
      before: 'SHOP_TOKEN=old\n',
      value: 'sk-new',
      says: /SHOP_TOKEN cannot be written: it has a value there already/,
    },
    {
      title: 'has a quote that is open',
      before: 'A="open\nB=2\n',
      value: 'x"\ny',
      says: /change the value of A, .* Close that quote/,
    },
    { title: 'cannot hold the value', before: '', value: 'a\'b"c`d#e', says: /SHOP_TOKEN cannot be written: it has characters/ },
  ];
  for (const { title, before, value, says } of refusals) {
    it(`leaves a file as it is that ${title}`, async () => {
      const file = path.join(await temporaryFolder({ '.env': before }), '.env');
      const error = await rejection(write(file, { SHOP_TOKEN: value }), 'CONFIG_INVALID');
      expect(error.message).to.match(says);
      expect(error.message).not.to.include(value);
      expect(await readFile(file, 'utf8')).to.equal(before);
    });
  }

  const modes = [
    { before: undefined, after: 0o600 },
    { before: 0o644, after: 0o600 },
    { before: 0o700, after: 0o600 },
    { before: 0o600, after: 0o600 },
  ];
  for (const { before, after } of modes) {
    it(`leaves a file ${before === undefined ? 'that is new' : `of mode ${before.toString(8)}`} with mode ${after.toString(8)}, and no copy`, async () => {
      const folder = await temporaryFolder(before === undefined ? {} : { '.env': 'A=1\n' });
      const file = path.join(folder, '.env');
      if (before !== undefined) await chmod(file, before);
      await write(file, { SHOP_TOKEN: 'new' });
      expect((await stat(file)).mode & 0o777).to.equal(after);
      expect(await readdir(folder)).to.deep.equal(['.env']);
    });
  }

  it('writes through a symbolic link to where it leads', async () => {
    const folder = await temporaryFolder({ 'vault/secrets': 'A=1\n' });
    await symlink(path.join(folder, 'vault/secrets'), path.join(folder, '.env'));
    await write(path.join(folder, '.env'), { SHOP_TOKEN: 'new' });
    expect(await readFile(path.join(folder, 'vault/secrets'), 'utf8')).to.equal('A=1\nSHOP_TOKEN=new\n');
  });
});
