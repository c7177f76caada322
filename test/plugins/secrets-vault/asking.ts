import { startVault, type VaultOptions, type VaultServer } from '../../../fixtures/servers/vault.ts';
import type { HookContext, Logger, Plugin, PluginApi, SecretSink } from '../../../kernel/index.ts';
import { secretsVault } from '../../../plugins/secrets-vault/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { bareKernel } from '../../support/test-kernel.ts';

/** The token that the stand-in takes when it is not told another. */
export const operatorToken = 'hvs.of-the-operator';

const started: VaultServer[] = [];

/** A Vault on loopback, closed after the test. */
export async function vault(options: VaultOptions = {}): Promise<VaultServer> {
  const server = await startVault(options);
  started.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

export type SecretsVaultOptions = NonNullable<Parameters<typeof secretsVault>[0]>;

export interface Asked {
  /** What was provided, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Milliseconds, by name. */
  readonly ttlMs: Readonly<Record<string, number | undefined>>;
}

export interface Asker {
  /** Asks the plugin for these names, as the kernel does when they are missing. */
  ask(names?: readonly string[], how?: { readonly isFresh?: boolean; readonly signal?: AbortSignal }): Promise<Asked>;
  /** What is logged above debug. */
  readonly records: readonly LogRecord[];
  /** Messages of this level. */
  logged(level: keyof Logger): string[];
  close(): Promise<void>;
}

/** The plugin in a real kernel, asked without the memory of the kernel in front of it. */
export async function asker(options: SecretsVaultOptions): Promise<Asker> {
  const logger = memoryLogger();
  let tap: ((sink: SecretSink, context: HookContext) => unknown) | undefined;
  const plugin = secretsVault(options);
  const spied: Plugin = {
    ...plugin,
    apply: (api) => {
      const { resolveSecrets } = api.hooks;
      const spy: typeof resolveSecrets = {
        ...resolveSecrets,
        tapPromise: (name, run) => {
          tap = run;
          resolveSecrets.tapPromise(name, run);
        },
      };
      return plugin.apply({ ...api, hooks: { ...api.hooks, resolveSecrets: spy } } as PluginApi);
    },
  };
  const kernel = await bareKernel({ plugins: [spied], logger });
  return {
    async ask(names = ['SHOP_TOKEN'], { isFresh = false, signal = new AbortController().signal } = {}) {
      const values: Record<string, string> = {};
      const ttls: Record<string, number | undefined> = {};
      const missing = new Set(names);
      const sink: SecretSink = {
        get missing() {
          return [...missing];
        },
        isFresh,
        provide(name, value, ttlMs) {
          missing.delete(name);
          Object.defineProperty(values, name, { value, enumerable: true });
          ttls[name] = ttlMs;
        },
      };
      await tap?.(sink, { signal, logger: kernel.logger });
      return { values, ttlMs: ttls };
    },
    get records() {
      return logger.records.filter(({ level }) => level !== 'debug');
    },
    logged: (level) => logger.records.filter((record) => record.level === level).map(({ message }) => message),
    close: () => kernel.close(),
  };
}

/** The variables that lead to a server, with the operator's token. */
export function envOf({ url }: { readonly url: string }, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { VAULT_ADDR: url, VAULT_TOKEN: operatorToken, ...more };
}

/** A Vault with one secret, and the plugin that asks it. */
export async function shop(
  values: Readonly<Record<string, unknown>> = { SHOP_TOKEN: 'value-of-shop-token' },
  options: SecretsVaultOptions = {},
): Promise<{ server: VaultServer; asked: Asker }> {
  const server = await vault({ secrets: { 'secret/data/toolkit': values } });
  return { server, asked: await asker({ env: envOf(server), ...options }) };
}
