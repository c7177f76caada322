import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { operatorToken } from './asking.ts';
import { given, read, sent, start } from './login-case.ts';

describe('secrets-vault: tokens that are given', () => {
  it('come from VAULT_TOKEN', async () => {
    const { server, asked } = await start({ auth: undefined, env: { VAULT_TOKEN: operatorToken } });
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(sent(server)).to.deep.equal([read(operatorToken)]);
  });

  it('lose the newline that an environment may add', async () => {
    const { server, asked } = await start({ auth: { method: 'token' }, env: { VAULT_TOKEN: `${operatorToken}\n` } });
    await asked.ask();
    expect(sent(server)).to.deep.equal([read(operatorToken)]);
  });

  for (const home of ['HOME', 'USERPROFILE']) {
    it(`come from ~/.vault-token of ${home} otherwise`, async () => {
      const folder = await temporaryFolder({ '.vault-token': `${operatorToken}\n` });
      const { asked } = await start({ auth: undefined, env: { [home]: folder } });
      expect((await asked.ask()).values).to.deep.equal(given);
    });
  }

  it('come from tokenPath before anything else, read again each time', async () => {
    const folder = await temporaryFolder({ sink: operatorToken, '.vault-token': 'wrong' });
    const { asked } = await start({
      auth: { method: 'token', tokenPath: path.join(folder, 'sink') },
      env: { VAULT_TOKEN: 'wrong', HOME: folder },
    });
    expect((await asked.ask()).values).to.deep.equal(given);
  });

  const missing: { what: string; files: Record<string, string>; env: (folder: string) => Record<string, string> }[] = [
    { what: 'without one anywhere', files: {}, env: (HOME) => ({ HOME }) },
    { what: 'without a home', files: {}, env: () => ({ VAULT_TOKEN: '' }) },
    { what: 'with an empty file', files: { '.vault-token': '\n' }, env: (HOME) => ({ HOME }) },
  ];
  for (const { what, files, env } of missing) {
    it(`are asked for ${what}`, async () => {
      const { server, asked } = await start({ auth: undefined, env: env(await temporaryFolder(files)) });
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.equal(
        'There is no token for Vault: expected VAULT_TOKEN, or a file ~/.vault-token. Set it, log in with "vault login", or choose another auth.method.',
      );
      expect(error.retryable).to.equal(false);
      expect(server.requests).to.deep.equal([]);
    });
  }

  it('are asked for when tokenPath leads nowhere', async () => {
    const file = path.join(await temporaryFolder(), 'sink');
    const { asked } = await start({ auth: { method: 'token', tokenPath: file }, env: { VAULT_TOKEN: operatorToken } });
    const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include(`"${file}" (tokenPath)`).and.to.include('it does not exist');
    expect(error.retryable).to.equal(false);
  });

  for (const token of ['hvs.hidden token', 'hvs.hidden\nx-evil: 1', 'hvs.hidden-€', 'hvs.hidden\u0000']) {
    it(`are not sent, and not shown, when a header cannot hold them: ${JSON.stringify(token)}`, async () => {
      const { server, asked } = await start({ auth: undefined, env: { VAULT_TOKEN: token } });
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include('from VAULT_TOKEN cannot be sent').and.to.not.include('hidden');
      expect(server.requests).to.deep.equal([]);
    });
  }
});
