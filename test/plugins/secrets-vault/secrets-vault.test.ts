import { inspect } from 'node:util';
import { expect } from 'chai';
import { failure } from '../../../fixtures/servers/vault-answers.ts';
import { type Kernel, type Logger, revealSecret } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { secretsVault } from '../../../plugins/secrets-vault/index.ts';
import { checkPlugin, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel, echoTool, testKernel } from '../../support/test-kernel.ts';
import { envOf, type SecretsVaultOptions, vault } from './asking.ts';

interface Chain {
  readonly env?: Readonly<Record<string, string>>;
  readonly options: SecretsVaultOptions;
  readonly logger?: Logger;
  readonly secrets?: readonly string[];
  readonly handler?: (parameters: never, context: FunctionContext) => unknown;
}

/** A kernel with the chain of environment and Vault, and a tool that says which secrets it got, spelled backwards. */
function chain({ env = {}, options, logger, secrets = ['SHOP_TOKEN', 'DESK_TOKEN'], handler = backwards }: Chain): Promise<Kernel> {
  return testKernel({
    plugins: [secretsEnv({ env: { ...env } }), secretsVault(options), credentialsPlaceholder()],
    tools: [echoTool({ name: 'it', execution: { type: 'function', handler }, secrets })],
    ...(logger === undefined ? {} : { logger }),
  });
}

const backwards = (_: never, { secrets }: FunctionContext): unknown =>
  Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, [...value].reverse().join('')]));

describe('secrets from Vault', () => {
  it('reach the tool that names them', async () => {
    const server = await vault({ secrets: { 'secret/data/toolkit': { SHOP_TOKEN: 'abc-shop', TOOLKIT_DESK_TOKEN: 'abc-desk' } } });
    const kernel = await chain({ options: { env: envOf(server) } });
    expect(await kernel.execute('it')).to.deep.equal({ SHOP_TOKEN: 'pohs-cba', DESK_TOKEN: 'ksed-cba' });
  });

  it('come after those of a resolver before, which has the first word', async () => {
    const server = await vault({ secrets: { 'secret/data/toolkit': { SHOP_TOKEN: 'abc-vault', DESK_TOKEN: 'abc-desk' } } });
    const kernel = await chain({ env: { SHOP_TOKEN: 'abc-env' }, options: { env: envOf(server) } });
    expect(await kernel.execute('it')).to.deep.equal({ SHOP_TOKEN: 'vne-cba', DESK_TOKEN: 'ksed-cba' });
    expect(server.requests).to.have.length(1);
  });

  it('are not asked for when a resolver before has them all', async () => {
    const kernel = await chain({ env: { SHOP_TOKEN: 'abc-env', DESK_TOKEN: 'abc-env' }, options: { env: {} } });
    expect(await kernel.execute('it')).to.deep.equal({ SHOP_TOKEN: 'vne-cba', DESK_TOKEN: 'vne-cba' });
  });

  it('are read once for many calls', async () => {
    const server = await vault({ secrets: { 'secret/data/toolkit': { SHOP_TOKEN: 'abc-shop', DESK_TOKEN: 'abc-desk' } } });
    const kernel = await chain({ options: { env: envOf(server) } });
    await Promise.all(Array.from({ length: 5 }, () => kernel.execute('it')));
    expect(server.requests).to.have.length(1);
  });

  it('are missing with the name that no resolver has', async () => {
    const server = await vault({ secrets: { 'secret/data/toolkit': { SHOP_TOKEN: 'abc-shop' } } });
    const kernel = await chain({ options: { env: envOf(server) } });
    expect((await rejection(kernel.execute('it'), 'MISSING_PARAMETER')).message).to.include('DESK_TOKEN');
  });

  it('fail the call when Vault fails, with the names of plugin and hook', async () => {
    const server = await vault();
    server.fault = { kind: 'sealed' };
    const error = await rejection((await chain({ options: { env: envOf(server) } })).execute('it'), 'SECRET_STORE_UNAVAILABLE');
    expect(error.toJSON()).to.deep.include({
      retryable: false,
      plugin: 'secrets-vault',
      hook: 'resolveSecrets',
      status: 503,
      address: `${server.url}/`,
      path: 'secret/data/toolkit',
    });
  });

  it("leave the call to the next resolver with onError 'skip'", async () => {
    const logger = memoryLogger();
    const kernel = await bareKernel({
      plugins: [secretsVault({ env: {}, onError: 'skip' }), secretsEnv({ env: { SHOP_TOKEN: 'of the environment' } })],
      logger,
    });
    await kernel.resolveSecrets(['SHOP_TOKEN']);
    const secret = kernel.secret('SHOP_TOKEN');
    expect(secret && revealSecret(secret)).to.equal('of the environment');
    expect(logger.records.filter(({ level }) => level === 'warn')).to.have.length(1);
  });

  it('are read with the variables of the process at the moment they are needed', async () => {
    const kernel = await bareKernel({ plugins: [secretsVault()] });
    const server = await vault({ secrets: { 'secret/data/toolkit': { SHOP_TOKEN: 'of the process' } } });
    const variables = envOf(server);
    const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
    Object.assign(process.env, variables);
    try {
      await kernel.resolveSecrets(['SHOP_TOKEN']);
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    const secret = kernel.secret('SHOP_TOKEN');
    expect(secret && revealSecret(secret)).to.equal('of the process');
  });

  it('are in no log, no error and no output, nor is what opens Vault', async () => {
    const logger = memoryLogger();
    const appRole = { roleId: 'role', secretId: 'planted-secret-id' };
    const server = await vault({ appRole, secrets: { 'secret/data/toolkit': { SHOP_TOKEN: 'planted-value', SHOP_KEY: 'planted-key' } } });
    const echo = (_: never, { secrets, logger: log }: FunctionContext): unknown => {
      log.info(`got ${secrets['SHOP_TOKEN']}`, { login: server.tokens[0], id: appRole.secretId });
      throw new Error(`failed with ${secrets['SHOP_TOKEN']}, ${server.tokens[0]} and ${appRole.secretId}`);
    };
    const options: SecretsVaultOptions = {
      auth: { method: 'approle' },
      env: envOf(server, { VAULT_ROLE_ID: appRole.roleId, VAULT_SECRET_ID: appRole.secretId }),
    };
    const kernel = await chain({ options, logger, secrets: ['SHOP_TOKEN'], handler: echo });
    const error = await rejection(kernel.execute('it'), 'EXECUTION_FAILED');
    expect(error.message).to.include('failed with [secret SHOP_TOKEN], [secret VAULT_TOKEN] and [secret VAULT_SECRET_ID]');
    const printed = JSON.stringify([logger.records, error.toJSON()]) + inspect(logger.records, { depth: 20 });
    expect(printed)
      .to.include('got [secret SHOP_TOKEN]')
      .and.to.not.match(/planted|hvs\./);
  });

  it('are masked in the failure of another read', async () => {
    const server = await vault({ secrets: { 'secret/data/toolkit': { SHOP_TOKEN: 'planted-value' } } });
    const kernel = await bareKernel({
      plugins: [secretsEnv({ env: { SHOP_TOKEN: 'planted-value' } }), secretsVault({ env: envOf(server) })],
    });
    await kernel.resolveSecrets(['SHOP_TOKEN']);
    server.fault = { kind: 'answer', answer: failure(400, 'bad planted-value') };
    const error = await rejection(kernel.resolveSecrets(['DESK_TOKEN']), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('(400: bad [secret SHOP_TOKEN])');
  });

  const wrong: { what: string; options: object; says: string }[] = [
    { what: 'an option that nobody knows', options: { secretpath: 'x' }, says: 'secretpath' },
    { what: 'a token in the options', options: { token: 'hvs.hidden' }, says: 'token' },
    { what: 'another method', options: { auth: { method: 'ldap' } }, says: 'auth' },
    { what: 'a token in the method', options: { auth: { method: 'token', token: 'hvs.hidden' } }, says: 'auth' },
    { what: 'no role', options: { auth: { method: 'kubernetes' } }, says: 'auth' },
  ];
  for (const { what, options, says } of wrong) {
    it(`refuse ${what} at the start`, async () => {
      const error = await rejection(bareKernel({ plugins: [secretsVault(options as SecretsVaultOptions)] }), 'PLUGIN_INVALID');
      expect(error.message).to.include('"secrets-vault"').and.to.include(says).and.to.not.include('hidden');
    });
  }

  it('come from a plugin that keeps the contract, with options and without', async () => {
    expect(await checkPlugin(secretsVault)).to.deep.equal([]);
    expect(await checkPlugin(secretsVault, { secretPath: 'secret/data/shop', auth: { method: 'approle' }, env: {} })).to.deep.equal([]);
  });
});
