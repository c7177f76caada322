import { expect } from 'chai';
import { apiVersion, definePlugin, revealSecret } from '../../../kernel/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { checkPlugin, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';

async function resolved(env: Readonly<Record<string, string>> | undefined, name: string): Promise<string | undefined> {
  const kernel = await bareKernel({ plugins: [secretsEnv(env === undefined ? {} : { env })] });
  await kernel.resolveSecrets([name]);
  const secret = kernel.secret(name);
  return secret === undefined ? undefined : revealSecret(secret);
}

describe('secrets from the environment', () => {
  const cases = [
    { what: 'the prefixed name first', env: { TOOLKIT_SHOP_TOKEN: 'prefixed', SHOP_TOKEN: 'plain' }, gives: 'prefixed' },
    { what: 'the plain name otherwise', env: { SHOP_TOKEN: 'plain' }, gives: 'plain' },
    { what: 'the prefixed name alone', env: { TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
    { what: 'the plain name when the prefixed one is empty', env: { TOOLKIT_SHOP_TOKEN: '', SHOP_TOKEN: 'plain' }, gives: 'plain' },
    { what: 'nothing for an empty value', env: { TOOLKIT_SHOP_TOKEN: '', SHOP_TOKEN: '' }, gives: undefined },
    { what: 'nothing without a variable', env: { OTHER_TOKEN: 'other' }, gives: undefined },
    { what: 'nothing for another case', env: { shop_token: 'lower' }, gives: undefined },
    { what: 'a value as it is, with spaces and quotes', env: { SHOP_TOKEN: ' "a b" \n' }, gives: ' "a b" \n' },
  ];
  for (const { what, env, gives } of cases) {
    it(`give ${what}`, async () => {
      expect(await resolved(env as Record<string, string>, 'SHOP_TOKEN')).to.equal(gives);
    });
  }

  for (const [name, variable] of Object.entries({
    KEY: 'TOOLKIT_KEY',
    KEY_PREVIOUS: 'TOOLKIT_KEY_PREVIOUS',
    MCP_TOKEN: 'TOOLKIT_MCP_TOKEN',
    HEADERS: 'OTEL_EXPORTER_OTLP_HEADERS',
    TRACES_HEADERS: 'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  })) {
    it(`give no tool ${variable}, whether it calls its secret ${name} or so`, async () => {
      const env = { [variable]: 'of the program' };
      expect([await resolved(env, name), await resolved(env, variable)]).to.deep.equal([undefined, undefined]);
      expect(await resolved({ ...env, [name]: 'of the tool' }, name)).to.equal('of the tool');
    });
  }

  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    it(`have nothing under the name ${name}, which every object has`, async () => {
      expect(await resolved({ SHOP_TOKEN: 'plain' }, name)).to.equal(undefined);
      expect(await resolved(undefined, name)).to.equal(undefined);
    });
  }

  it('are read from the environment of the process at the moment they are needed', async () => {
    const kernel = await bareKernel({ plugins: [secretsEnv()] });
    process.env['TOOLKIT_ENV_TEST_TOKEN'] = 'value-set-later';
    try {
      await kernel.resolveSecrets(['ENV_TEST_TOKEN']);
      const secret = kernel.secret('ENV_TEST_TOKEN');
      expect(secret && revealSecret(secret)).to.equal('value-set-later');
    } finally {
      delete process.env['TOOLKIT_ENV_TEST_TOKEN'];
    }
  });

  it('leave to later resolvers what they do not have, and keep what they have', async () => {
    const asked: (readonly string[])[] = [];
    const second = definePlugin({
      name: 'second',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.resolveSecrets.tap('second', (sink) => {
          asked.push(sink.missing);
          for (const name of ['A_TOKEN', 'B_TOKEN']) sink.provide(name, 'second');
        }),
    });
    const kernel = await bareKernel({ plugins: [secretsEnv({ env: { A_TOKEN: 'first' } }), second()] });
    await kernel.resolveSecrets(['A_TOKEN', 'B_TOKEN']);
    const values = ['A_TOKEN', 'B_TOKEN'].map((name) => kernel.secret(name)).map((secret) => secret && revealSecret(secret));
    expect(values).to.deep.equal(['first', 'second']);
    expect(asked).to.deep.equal([['B_TOKEN']]);
  });

  it('are logged by name and resolver, never by value', async () => {
    const logger = memoryLogger();
    const kernel = await bareKernel({ plugins: [secretsEnv({ env: { SHOP_TOKEN: 'value-of-shop-token' } })], logger });
    await kernel.resolveSecrets(['SHOP_TOKEN']);
    expect(logger.records).to.deep.include({
      level: 'debug',
      message: 'secret resolved',
      meta: { name: 'SHOP_TOKEN', resolver: 'secrets-env' },
    });
    expect(JSON.stringify(logger.records)).to.not.include('value-of-shop-token');
  });

  it('may only be text', async () => {
    const wrong = secretsEnv({ env: { SHOP_TOKEN: 7 } as unknown as Record<string, string> });
    expect((await rejection(bareKernel({ plugins: [wrong] }), 'PLUGIN_INVALID')).message).to.include('env.SHOP_TOKEN expected string');
  });

  it('come from a plugin that keeps the contract', async () => {
    expect(await checkPlugin(secretsEnv)).to.deep.equal([]);
  });
});
