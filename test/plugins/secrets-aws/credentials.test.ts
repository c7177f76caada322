import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { asker, awsEnvironment, manager, shop } from './asking.ts';

const noKeys = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_SESSION_TOKEN: undefined };

function required(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set`);
  return value;
}

describe('the credentials for AWS', () => {
  awsEnvironment(noKeys);
  const clock = stoppedDate();

  it('are missed with a word on where they come from', async () => {
    const { server, asked } = await shop();
    const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.equal(
      'The AWS secret "toolkit/credentials" in eu-central-1 could not be read: there are no AWS credentials (CredentialsProviderError). Set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role that allows secretsmanager:GetSecretValue.',
    );
    expect(error.retryable).to.equal(false);
    expect(server.requests).to.deep.equal([]);
  });

  it('come from a profile', async () => {
    await writeFile(
      required('AWS_SHARED_CREDENTIALS_FILE'),
      '[shop]\naws_access_key_id = AKIASHOP\naws_secret_access_key = secret-access-key-of-the-operator\n',
    );
    process.env['AWS_PROFILE'] = 'shop';
    const server = await manager({ secrets: { 'toolkit/credentials': { SHOP_TOKEN: 'profile' } }, accessKeyId: 'AKIASHOP' });
    expect((await (await asker({ endpoint: server.url })).ask()).values).to.deep.equal({ SHOP_TOKEN: 'profile' });
  });

  it('are found once they are there', async () => {
    const { asked } = await shop();
    await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    clock.tick(1000);
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret-access-key-of-the-operator' });
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
  });

  it('are looked up again after AWS has refused them', async () => {
    const { asked } = await shop();
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIAOLD', AWS_SECRET_ACCESS_KEY: 'secret-access-key-of-the-operator' });
    await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    clock.tick(1000);
    process.env['AWS_ACCESS_KEY_ID'] = 'AKIAEXAMPLE';
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
  });

  it('are searched for no longer than timeoutMs, also where the metadata service of the machine does not answer', async () => {
    const metadata = await loopback(() => {});
    process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = metadata.url;
    delete process.env['AWS_EC2_METADATA_DISABLED'];
    const { asked } = await shop(undefined, { timeoutMs: 200 });
    const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.equal(
      'The AWS secret "toolkit/credentials" could not be read within 200 ms. No AWS credentials were found so far: set AWS_PROFILE or AWS_ACCESS_KEY_ID, or give this machine a role. AWS_EC2_METADATA_DISABLED=true ends the search on machines that are not of AWS.',
    );
    expect(error.retryable).to.equal(true);
  });

  it('are searched for no longer than somebody waits, and then anew', async () => {
    let searching: () => void = () => {};
    const searched = new Promise<void>((resolve) => {
      searching = resolve;
    });
    const metadata = await loopback(() => searching());
    process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = metadata.url;
    delete process.env['AWS_EC2_METADATA_DISABLED'];
    const { asked } = await shop();
    const leaving = new AbortController();
    const left = asked.ask(undefined, { signal: leaving.signal }).catch((error: unknown) => error);
    await searched;
    leaving.abort('enough');
    expect(await left).to.equal('enough');
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret-access-key-of-the-operator' });
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
  });
});

describe('the region for AWS', () => {
  awsEnvironment({ AWS_REGION: undefined });

  for (const [what, options] of [
    ['missing', {}],
    ['no name of a host', { region: 'no region!' }],
  ] as const) {
    it(`is asked for when it is ${what}`, async () => {
      const { asked } = await shop(undefined, options);
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.equal(
        'The AWS secret "toolkit/credentials" could not be asked for: there is no usable AWS region. Set the option region, or AWS_REGION.',
      );
      expect(error.retryable).to.equal(false);
    });
  }
});
