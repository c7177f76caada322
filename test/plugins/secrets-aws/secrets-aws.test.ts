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

describe('secrets from AWS Secrets Manager', () => {
  awsEnvironment();

  it('are the last of several with the same name', async () => {
    const { asked } = await shop('{"SHOP_TOKEN":"first","SHOP_TOKEN":"second"}');
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'second' });
  });

  it('are asked for in one signed GetSecretValue, whatever their number', async () => {
    const { server, asked } = await shop({ A_TOKEN: 'a', B_TOKEN: 'b' });
    expect((await asked.ask(['A_TOKEN', 'B_TOKEN', 'C_TOKEN'])).values).to.deep.equal({ A_TOKEN: 'a', B_TOKEN: 'b' });
    expect(server.requests.map(({ headers, body }) => [headers['x-amz-target'], headers['x-amz-security-token'], body])).to.deep.equal([
      ['secretsmanager.GetSecretValue', 'session-token-of-the-operator', '{"SecretId":"toolkit/credentials"}'],
    ]);
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
