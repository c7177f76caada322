import path from 'node:path';
import { afterEach as afterEachHere, beforeEach } from 'mocha';
import {
  type SecretsManagerOptions,
  type SecretsManagerServer,
  startSecretsManager,
} from '../../../fixtures/servers/aws-secrets-manager.ts';
import type { HookContext, Kernel, Logger, Plugin, PluginApi, SecretSink } from '../../../kernel/index.ts';
import { secretsAws } from '../../../plugins/secrets-aws/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

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

/** What must never be seen in a log or an error. */
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

export interface Asked {
  /** What was provided, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Milliseconds, by name. */
  readonly ttlMs: Readonly<Record<string, number | undefined>>;
}

export interface Asker {
  readonly kernel: Kernel;
  readonly records: readonly LogRecord[];
  /** Asks the plugin for these names, as the kernel does when they are missing. */
  ask(names?: readonly string[], how?: { readonly isFresh?: boolean; readonly signal?: AbortSignal }): Promise<Asked>;
  /** Messages of this level. */
  logged(level: keyof Logger): string[];
}

/** The plugin in a real kernel, asked without the memory of the kernel in front of it. */
export async function asker(options: SecretsAwsOptions): Promise<Asker> {
  const logger = memoryLogger();
  let tap: ((sink: SecretSink, context: HookContext) => unknown) | undefined;
  const plugin = secretsAws(options);
  const spied: Plugin = {
    ...plugin,
    apply: (api) => {
      const { resolveSecrets } = api.hooks;
      const tapPromise: typeof resolveSecrets.tapPromise = (name, run) => {
        tap = run;
        resolveSecrets.tapPromise(name, run);
      };
      return plugin.apply({ ...api, hooks: { ...api.hooks, resolveSecrets: { ...resolveSecrets, tapPromise } } } as PluginApi);
    },
  };
  const kernel = await bareKernel({ plugins: [spied], logger });
  return {
    kernel,
    records: logger.records,
    async ask(names = ['SHOP_TOKEN'], { isFresh = false, signal = new AbortController().signal } = {}) {
      const values = new Map<string, string>();
      const ttlMs = new Map<string, number | undefined>();
      const sink: SecretSink = {
        get missing() {
          return names.filter((name) => !values.has(name));
        },
        isFresh,
        provide(name, value, ttl) {
          values.set(name, value);
          ttlMs.set(name, ttl);
        },
      };
      await tap?.(sink, { signal, logger: kernel.logger });
      return { values: Object.fromEntries(values), ttlMs: Object.fromEntries(ttlMs) };
    },
    logged: (level) => logger.records.filter((record) => record.level === level).map(({ message }) => message),
  };
}

/** A Secrets Manager with one secret, and the plugin that asks it. */
export async function shop(
  secret: NonNullable<SecretsManagerOptions['secrets']>[string] = { SHOP_TOKEN: 'value-of-shop-token' },
  options: SecretsAwsOptions = {},
): Promise<{ server: SecretsManagerServer; asked: Asker }> {
  const server = await manager({ secrets: { 'toolkit/credentials': secret } });
  return { server, asked: await asker({ endpoint: server.url, ...options }) };
}
