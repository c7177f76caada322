import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { appRole, given, kubernetes, read, roleEnv, sent, start } from './login-case.ts';

describe('secrets-vault: tokens of a login', () => {
  const date = stoppedDate();
  const approleLogin = ['POST', '/v1/auth/approle/login', undefined, { role_id: appRole.roleId, secret_id: appRole.secretId }];

  it('come from AppRole, with the IDs of the environment', async () => {
    const { server, asked } = await start({ auth: { method: 'approle' }, env: roleEnv });
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(sent(server)).to.deep.equal([approleLogin, read('hvs.login-1-of-the-vault')]);
  });

  it('come from AppRole, with the IDs of the options first', async () => {
    const { server, asked } = await start({
      auth: { method: 'approle', ...appRole },
      env: { VAULT_ROLE_ID: 'wrong', VAULT_SECRET_ID: 'wrong', VAULT_TOKEN: 'not sent' },
    });
    await asked.ask();
    expect(sent(server)).to.deep.equal([approleLogin, read('hvs.login-1-of-the-vault')]);
  });

  it('come from AppRole without a secret ID, where the role asks for none', async () => {
    const server = { appRole: { roleId: appRole.roleId } };
    const { asked } = await start({ server, auth: { method: 'approle' }, env: { VAULT_ROLE_ID: appRole.roleId, VAULT_SECRET_ID: '' } });
    expect((await asked.ask()).values).to.deep.equal(given);
  });

  it('come from another mount', async () => {
    const server = { appRole: { ...appRole, mount: 'team/approle' } };
    const { server: started, asked } = await start({ server, auth: { method: 'approle', mount: 'team/approle/' }, env: roleEnv });
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(started.requests[0]?.url).to.equal('/v1/auth/team/approle/login');
  });

  it('come from Kubernetes, with the token of the service account', async () => {
    const jwtPath = path.join(await temporaryFolder({ token: `${kubernetes.jwt}\n` }), 'token');
    const { server, asked } = await start({ auth: { method: 'kubernetes', role: 'shop', jwtPath } });
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(sent(server)).to.deep.equal([
      ['POST', '/v1/auth/kubernetes/login', undefined, { role: 'shop', jwt: kubernetes.jwt }],
      read('hvs.login-1-of-the-vault'),
    ]);
  });

  it('are from the namespace, and read there', async () => {
    const server = { secrets: { 'team/eu/secret/data/toolkit': given } };
    const { server: started, asked } = await start({
      server,
      auth: { method: 'approle' },
      env: { ...roleEnv, VAULT_NAMESPACE: 'team/eu/' },
    });
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(started.requests.map(({ headers }) => headers['x-vault-namespace'])).to.deep.equal(['team/eu/', 'team/eu/']);
  });

  it('serve until a tenth of their life is left', async () => {
    const { server, asked } = await start({ auth: { method: 'approle' }, env: roleEnv, options: { ttlMs: 1000 } });
    await asked.ask();
    date.tick(1_079_999);
    await asked.ask();
    expect(server.tokens).to.have.length(1);
    date.tick(1000);
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(server.tokens).to.have.length(2);
    expect(sent(server).at(-1)).to.deep.equal(read('hvs.login-2-of-the-vault'));
  });

  it('serve for ever when they have no end', async () => {
    const { server, asked } = await start({ server: { leaseS: 0 }, auth: { method: 'approle' }, env: roleEnv });
    await asked.ask();
    date.tick(1e12);
    await asked.ask();
    expect(server.tokens).to.have.length(1);
  });

  it('are replaced, once, when one of an earlier login is refused', async () => {
    const { server, asked } = await start({ auth: { method: 'approle' }, env: roleEnv, options: { ttlMs: 1000 } });
    await asked.ask();
    server.revoke();
    date.tick(1000);
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(sent(server).slice(2)).to.deep.equal([read('hvs.login-1-of-the-vault'), approleLogin, read('hvs.login-2-of-the-vault')]);
    expect(asked.records).to.deep.equal([]);
  });

  it('are an error when one of this login is refused, without another login', async () => {
    const { server, asked } = await start({ server: { isDenying: true }, auth: { method: 'approle' }, env: roleEnv });
    const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.equal(
      `Vault at ${server.url} refuses "secret/data/toolkit" (403: 1 error occurred: * permission denied). Give the policies of the role the capability "read" there.`,
    );
    expect(error.retryable).to.equal(false);
    expect(server.requests).to.have.length(2);
  });

  it('are an error when the one that replaces a refused one is refused, too', async () => {
    const { server, asked } = await start({
      server: { isDenying: true },
      auth: { method: 'approle' },
      env: roleEnv,
      options: { ttlMs: 1000 },
    });
    await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    date.tick(1000);
    await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(server.requests.slice(2).map(({ method }) => method)).to.deep.equal(['GET', 'POST', 'GET']);
  });

  it('take the token of the service account anew for each login', async () => {
    const folder = await temporaryFolder({ token: 'old' });
    const jwtPath = path.join(folder, 'token');
    const { asked } = await start({ auth: { method: 'kubernetes', role: 'shop', jwtPath } });
    await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    await writeFile(jwtPath, kubernetes.jwt);
    date.tick(1000);
    expect((await asked.ask()).values).to.deep.equal(given);
  });

  it('are not got in an outage, in which the values of before serve', async () => {
    const { server, asked } = await start({ auth: { method: 'approle' }, env: roleEnv });
    await asked.ask();
    date.tick(1_200_000);
    server.fault = { kind: 'drop' };
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(server.requests.at(-1)?.method).to.equal('POST');
  });
});
