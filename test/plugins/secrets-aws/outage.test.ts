import { expect } from 'chai';
import type { Fault } from '../../../fixtures/servers/aws-secrets-manager.ts';
import { secretsAws } from '../../../plugins/secrets-aws/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { closedPort } from '../../support/closed-port.ts';
import { rejection } from '../../support/rejection.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { asker, awsEnvironment, shop } from './asking.ts';

const place = 'The AWS secret "toolkit/credentials" in eu-central-1';
const noConnection = `${place} cannot be read: no connection (ECONNRESET). Check the network, the region and the endpoint.`;
const limited = `${place} cannot be read: AWS limits the requests. Wait a little, or raise ttlMs.`;
const failed = (status: number) => `${place} cannot be read: AWS failed with HTTP ${status}. Try again later.`;
const html = '<html>value-of-html</html>';

describe('AWS that cannot be asked at the moment', () => {
  awsEnvironment();
  const clock = stoppedDate();

  const faults: readonly { what: string; fault: Fault; message: string }[] = [
    { what: 'drops the connection', fault: { kind: 'drop' }, message: noConnection },
    { what: 'breaks off', fault: { kind: 'cut' }, message: noConnection },
    { what: 'throttles', fault: { kind: 'error', name: 'ThrottlingException' }, message: limited },
    { what: 'gets too many requests', fault: { kind: 'error', name: 'TooManyRequestsException' }, message: limited },
    { what: 'answers 429', fault: { kind: 'raw', status: 429, text: html }, message: limited },
    { what: 'fails inside', fault: { kind: 'error', name: 'InternalServiceError' }, message: failed(500) },
    { what: 'is not available', fault: { kind: 'error', name: 'ServiceUnavailableException' }, message: failed(503) },
    { what: 'is hidden by a gateway that fails', fault: { kind: 'raw', status: 502, text: html }, message: failed(502) },
  ];
  for (const { what, fault, message } of faults) {
    it(`is an error that may be repeated when it ${what}`, async () => {
      const { server, asked } = await shop();
      server.fault = fault;
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.equal(message);
      expect(error.retryable).to.equal(true);
    });
  }

  it('is an error that may be repeated when nobody listens there', async () => {
    const port = await closedPort();
    const error = await rejection((await asker({ endpoint: `http://127.0.0.1:${port}` })).ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('no connection (ECONNREFUSED)');
    expect(error.retryable).to.equal(true);
  });

  it('is asked as often as the SDK is told to', async () => {
    process.env['AWS_MAX_ATTEMPTS'] = '2';
    const { server, asked } = await shop();
    server.fault = { kind: 'drop' };
    await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(server.requests).to.have.length(2);
  });

  it('ends the search, so that no weaker resolver answers in its place', async () => {
    const { server } = await shop();
    server.fault = { kind: 'drop' };
    const kernel = await bareKernel({ plugins: [secretsAws({ endpoint: server.url }), secretsEnv({ env: { SHOP_TOKEN: 'weaker' } })] });
    const error = await rejection(kernel.resolveSecrets(['SHOP_TOKEN']), 'SECRET_STORE_UNAVAILABLE');
    expect(error.details).to.include({ plugin: 'secrets-aws' });
    expect(kernel.secret('SHOP_TOKEN')).to.equal(undefined);
  });

  it('is passed over with one warning when the option onError says skip', async () => {
    const { server } = await shop();
    server.fault = { kind: 'drop' };
    const logger = memoryLogger();
    const plugins = [secretsAws({ endpoint: server.url, onError: 'skip' }), secretsEnv({ env: { SHOP_TOKEN: 'later-one' } })];
    const kernel = await bareKernel({ plugins, logger });
    for (const name of ['SHOP_TOKEN', 'OTHER_TOKEN']) await kernel.resolveSecrets([name]);
    clock.tick(1000);
    await kernel.resolveSecrets(['THIRD_TOKEN']);
    expect(server.requests).to.have.length(2);
    expect(kernel.secret('SHOP_TOKEN')).to.not.equal(undefined);
    expect(logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message)).to.deep.equal([
      `${noConnection} The next resolver is asked.`,
    ]);
  });
});
