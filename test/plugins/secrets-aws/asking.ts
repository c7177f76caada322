import path from 'node:path';
import { afterEach as afterEachHere, beforeEach } from 'mocha';
import {
  type SecretsManagerOptions,
  type SecretsManagerServer,
  startSecretsManager,
} from '../../../fixtures/servers/aws-secrets-manager.ts';
import { secretsAws } from '../../../plugins/secrets-aws/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Asker, askerOf } from '../shared/remote-secrets/asker.ts';

const started: SecretsManagerServer[] = [];

/** A Secrets Manager on loopback, closed after the test. */
export async function manager(options: SecretsManagerOptions = {}): Promise<SecretsManagerServer> {
  const server = await startSecretsManager(options);
  started.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

const secretAccessKey = 'secret-access-key-of-the-operator';

/** Texts that must never appear in a log or an error. */
export const unspeakable = ['value-of-', secretAccessKey, 'session-token-of'];

/**
 * For every test of the block, the environment has these AWS variables and no others: keys, a region, no profile, no metadata service,
 * one attempt. `undefined` leaves one out.
 */
export function awsEnvironment(more: Readonly<Record<string, string | undefined>> = {}): void {
  let before: NodeJS.ProcessEnv = {};
  const isAws = (name: string): boolean => name.startsWith('AWS_');
  const clear = (): void => {
    for (const name of Object.keys(process.env).filter(isAws)) delete process.env[name];
  };
  beforeEach(async () => {
    before = Object.fromEntries(Object.entries(process.env).filter(([name]) => isAws(name)));
    clear();
    const folder = await temporaryFolder();
    const variables = {
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: 'session-token-of-the-operator',
      AWS_REGION: 'eu-central-1',
      AWS_CONFIG_FILE: path.join(folder, 'config'),
      AWS_SHARED_CREDENTIALS_FILE: path.join(folder, 'credentials'),
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_MAX_ATTEMPTS: '1',
      ...more,
    };
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value;
  });
  afterEachHere(() => {
    clear();
    Object.assign(process.env, before);
  });
}

export type SecretsAwsOptions = NonNullable<Parameters<typeof secretsAws>[0]>;

/** The plugin in a real kernel, asked without the memory of the kernel in front of it. */
export function asker(options: SecretsAwsOptions): Promise<Asker> {
  return askerOf(secretsAws(options));
}

/** A Secrets Manager with one secret, and the plugin that asks it. */
export async function shop(
  secret: NonNullable<SecretsManagerOptions['secrets']>[string] = { SHOP_TOKEN: 'value-of-shop-token' },
  options: SecretsAwsOptions = {},
): Promise<{ server: SecretsManagerServer; asked: Asker }> {
  const server = await manager({ secrets: { 'toolkit/credentials': secret } });
  return { server, asked: await asker({ endpoint: server.url, ...options }) };
}
