import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect } from 'chai';
import sinon from 'sinon';
import { revealSecret } from '../../../kernel/index.ts';
import { secretsAws } from '../../../plugins/secrets-aws/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { checkPlugin, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { asker, awsEnvironment, manager, shop, unspeakable } from './asking.ts';

const awkward = ` "$A" $\{B} {C}\r\n\t`;
const long = `$a{}\n${'x'.repeat(60 * 1024)}`;

describe('secrets from AWS Secrets Manager', () => {
  awsEnvironment();

  const cases: readonly { what: string; holds: Readonly<Record<string, unknown>> | string; gives: string | undefined }[] = [
    { what: 'the exact name', holds: { SHOP_TOKEN: 'plain' }, gives: 'plain' },
    { what: 'the exact name first', holds: { TOOLKIT_SHOP_TOKEN: 'prefixed', SHOP_TOKEN: 'plain' }, gives: 'plain' },
    { what: 'the prefixed name otherwise', holds: { TOOLKIT_SHOP_TOKEN: 'prefixed' }, gives: 'prefixed' },
    { what: 'the prefixed name when the plain one is empty', holds: { TOOLKIT_SHOP_TOKEN: 'prefixed', SHOP_TOKEN: '' }, gives: 'prefixed' },
    { what: 'the prefixed name when the plain one is unusable', holds: { TOOLKIT_SHOP_TOKEN: 'text', SHOP_TOKEN: {} }, gives: 'text' },
    { what: 'nothing for an empty value', holds: { SHOP_TOKEN: '' }, gives: undefined },
    { what: 'nothing for null', holds: { SHOP_TOKEN: null }, gives: undefined },
    { what: 'nothing from an empty object', holds: {}, gives: undefined },
    { what: 'a whole number as text', holds: { SHOP_TOKEN: 123456789012 }, gives: '123456789012' },
    { what: 'zero as text', holds: { SHOP_TOKEN: 0 }, gives: '0' },
    { what: 'false as text', holds: { SHOP_TOKEN: false }, gives: 'false' },
    { what: 'a value with quotes, braces and line breaks', holds: { SHOP_TOKEN: awkward }, gives: awkward },
    { what: 'a value beyond ASCII', holds: { SHOP_TOKEN: 'schlüssel-鍵-🔑' }, gives: 'schlüssel-鍵-🔑' },
    { what: 'a value of 60 kB', holds: { SHOP_TOKEN: long }, gives: long },
    { what: 'the last of several', holds: '{"SHOP_TOKEN":"first","SHOP_TOKEN":"second"}', gives: 'second' },
  ];
  for (const { what, holds, gives } of cases) {
    it(`give ${what}`, async () => {
      const { asked } = await shop(holds);
      expect((await asked.ask()).values).to.deep.equal(gives === undefined ? {} : { SHOP_TOKEN: gives });
      expect(asked.logged('warn')).to.deep.equal([]);
    });
  }

  for (const name of ['constructor', 'toString', '__proto__']) {
    it(`have nothing under the name ${name}, which every object has`, async () => {
      const { asked } = await shop();
      expect(Object.keys((await asked.ask([name])).values)).to.deep.equal([]);
    });
  }

  const unusable: readonly { what: string; json: string; received: string }[] = [
    { what: 'an object', json: '{"value":"value-of-shop-token"}', received: 'object' },
    { what: 'a list', json: '["value-of-shop-token"]', received: 'array of 1' },
    { what: 'a number that JSON cannot keep', json: '12345678901234567890', received: 'a number that text alone keeps exactly' },
    { what: 'a fraction', json: '1.10', received: 'a number that text alone keeps exactly' },
  ];
  for (const { what, json, received } of unusable) {
    it(`warn once about ${what} and do not give it`, async () => {
      const { asked } = await shop(`{"SHOP_TOKEN":${json},"OTHER_TOKEN":{}}`);
      expect((await asked.ask()).values).to.deep.equal({});
      await asked.ask();
      expect(asked.logged('warn')).to.deep.equal([
        `The AWS secret "toolkit/credentials" has no usable value for "SHOP_TOKEN": expected text, received ${received}. Write it as text.`,
      ]);
    });
  }

  it('warn once about a name in another case', async () => {
    const { asked } = await shop({ shop_token: 'value-of-lower', Toolkit_Shop_Key: 'value-of-mixed' });
    for (const name of ['SHOP_TOKEN', 'SHOP_TOKEN', 'SHOP_KEY']) expect((await asked.ask([name])).values).to.deep.equal({});
    expect(asked.logged('warn')).to.deep.equal([
      'The AWS secret "toolkit/credentials" has no "SHOP_TOKEN", but it has "shop_token". Write the name in the same case.',
      'The AWS secret "toolkit/credentials" has no "SHOP_KEY", but it has "Toolkit_Shop_Key". Write the name in the same case.',
    ]);
  });

  it('are asked for in one signed GetSecretValue, whatever their number', async () => {
    const { server, asked } = await shop({ A_TOKEN: 'a', B_TOKEN: 'b' });
    expect((await asked.ask(['A_TOKEN', 'B_TOKEN', 'C_TOKEN'])).values).to.deep.equal({ A_TOKEN: 'a', B_TOKEN: 'b' });
    expect(server.requests.map(({ headers, body }) => [headers['x-amz-target'], headers['x-amz-security-token'], body])).to.deep.equal([
      ['secretsmanager.GetSecretValue', 'session-token-of-the-operator', '{"SecretId":"toolkit/credentials"}'],
    ]);
  });

  it('are not asked for when nothing is missing', async () => {
    const { server, asked } = await shop();
    await asked.ask([]);
    expect(server.requests).to.deep.equal([]);
  });

  it('come from the entry and the region of the options', async () => {
    const id = 'arn:aws:secretsmanager:us-west-2:123456789012:secret:shop-AbCdEf';
    const server = await manager({ secrets: { [id]: { SHOP_TOKEN: 'west' } }, region: 'us-west-2' });
    const asked = await asker({ endpoint: server.url, secretId: id, region: 'us-west-2' });
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'west' });
  });

  it('stay out of the logs, and the SDK stays silent', async () => {
    const { server } = await shop();
    const logger = memoryLogger();
    const prints = [sinon.spy(process.stdout, 'write'), sinon.spy(console, 'warn'), sinon.spy(console, 'error'), sinon.spy(console, 'log')];
    // The SDK complains on the console about a profile beside keys, unless it has a logger.
    process.env['AWS_PROFILE'] = 'none';
    try {
      const kernel = await bareKernel({ plugins: [secretsAws({ endpoint: server.url })], logger });
      await rejection(kernel.resolveSecrets(['SHOP_TOKEN']), 'SECRET_STORE_UNAVAILABLE');
      delete process.env['AWS_PROFILE'];
      const second = await bareKernel({ plugins: [secretsAws({ endpoint: server.url })], logger });
      await second.resolveSecrets(['SHOP_TOKEN']);
      const secret = second.secret('SHOP_TOKEN');
      expect(secret && revealSecret(secret)).to.equal('value-of-shop-token');
      expect(prints.flatMap((print) => print.args)).to.deep.equal([]);
    } finally {
      for (const print of prints) print.restore();
    }
    expect(logger.records).to.deep.include({
      level: 'debug',
      message: 'secret resolved',
      meta: { name: 'SHOP_TOKEN', resolver: 'secrets-aws' },
    });
    for (const text of unspeakable) expect(JSON.stringify(logger.records)).to.not.include(text);
  });

  it('leave to later resolvers what they do not have', async () => {
    const { server } = await shop();
    const later = secretsEnv({ env: { OTHER_TOKEN: 'later', SHOP_TOKEN: 'later' } });
    const kernel = await bareKernel({ plugins: [secretsAws({ endpoint: server.url }), later] });
    await kernel.resolveSecrets(['SHOP_TOKEN', 'OTHER_TOKEN']);
    const values = ['SHOP_TOKEN', 'OTHER_TOKEN'].map((name) => kernel.secret(name)).map((secret) => secret && revealSecret(secret));
    expect(values).to.deep.equal(['value-of-shop-token', 'later']);
  });

  it('give the connections back when the kernel closes', async () => {
    const destroy = sinon.spy(SecretsManagerClient.prototype, 'destroy');
    try {
      const { asked } = await shop();
      await asked.ask();
      expect(destroy.callCount).to.equal(0);
      await asked.kernel.close();
      expect(destroy.callCount).to.equal(1);
    } finally {
      destroy.restore();
    }
  });

  it('come from a plugin that keeps the contract', async () => {
    expect(await checkPlugin(secretsAws)).to.deep.equal([]);
  });
});

describe('the endpoint of secrets from AWS', () => {
  for (const endpoint of ['secretsmanager.example', 'ftp://aws.example', 'https://user:value-of-password@aws.example']) {
    it(`is refused when it is ${endpoint.replace('value-of-', '')}`, async () => {
      const error = await rejection(bareKernel({ plugins: [secretsAws({ endpoint })] }), 'PLUGIN_INVALID');
      expect(error.message).to.include('The option "endpoint" of secrets-aws is wrong: expected a URL such as https://');
      expect(error.message).to.not.include('value-of-');
    });
  }

  for (const [endpoint, warnings] of [
    ['http://aws.example:4566', 1],
    ['https://aws.example', 0],
    ['http://127.0.0.1:4566', 0],
    ['http://localhost:4566', 0],
    ['http://[::1]:4566', 0],
  ] as const) {
    it(`is ${warnings === 1 ? '' : 'not '}warned about at ${endpoint}`, async () => {
      const logger = memoryLogger();
      await bareKernel({ plugins: [secretsAws({ endpoint })], logger });
      expect(logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message)).to.deep.equal(
        Array(warnings).fill(
          `secrets-aws reads secrets from ${endpoint} without encryption: everybody on the way can read them. Use https.`,
        ),
      );
    });
  }
});
