import { apiVersion, definePlugin, excerpt, type SecretSink } from '../../kernel/index.ts';
import { type Reading, SecretCache } from './cache.ts';
import { isStoreFailure } from './failure.ts';
import { Notices } from './notices.ts';
import { VaultOptionsSchema } from './options.ts';
import { VaultReader } from './reader.ts';
import { lookUp } from './values.ts';

/**
 * Secrets from one secret of HashiCorp Vault, KV version 2: the key `<NAME>` first, then `TOOLKIT_<NAME>`. One read serves all names for
 * `ttlMs`. When Vault cannot be reached, the values of the last read serve on; when it refuses, they do not.
 */
export const secretsVault = definePlugin({
  name: 'secrets-vault',
  apiVersion,
  optionsSchema: VaultOptionsSchema,
  apply(api, options) {
    const now = () => Date.now();
    const reader = new VaultReader(options, {
      env: () => options.env ?? process.env,
      cwd: api.cwd,
      now,
      maskAlso: (name, value) => api.maskAlso(name, value),
      mask: (text) => api.kernel.mask(text),
    });
    const cache = new SecretCache((signal) => reader.read(signal), options.ttlMs ?? 300_000, now);
    const notices = new Notices();
    api.hooks.resolveSecrets.tapPromise('secrets-vault', async (sink, { signal, logger }) => {
      if (sink.missing.length === 0) return;
      try {
        const reading = await cache.read(sink.isFresh, signal);
        notices.state(logger, reading);
        provide(sink, reading, (name, message) => notices.once(name, () => logger.warn(message, { name })));
      } catch (error) {
        if (options.onError !== 'skip' || signal.aborted || !isStoreFailure(error)) throw error;
        const { code, message, retryable } = error;
        notices.skipped(message, () => logger.warn(`${message} The next resolver is asked.`, { code, retryable }));
      }
    });
    api.hooks.dispose.tapPromise('secrets-vault', () => reader.close());
  },
});

function provide(sink: SecretSink, { values, ttlMs }: Reading, warn: (name: string, message: string) => void): void {
  for (const name of sink.missing) {
    const found = lookUp(values, name);
    if (found.type === 'value') sink.provide(name, found.value, ttlMs);
    if (found.type === 'otherCase') {
      warn(name, `Vault has no "${name}", but it has "${excerpt(found.key, 100)}": names must match in case. Rename the one or the other.`);
    }
    if (found.type === 'unusable') {
      warn(name, `The value of "${found.key}" in Vault cannot be used: expected text, received ${found.received}. Write it as text.`);
    }
  }
}
