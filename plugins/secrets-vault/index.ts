import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { RemoteSecrets } from '../shared/remote-secrets/remote-secrets.ts';
import { VaultOptionsSchema } from './options.ts';
import { VaultReader } from './reader.ts';

/**
 * Resolves secrets from one secret of HashiCorp Vault, KV version 2: the key `<NAME>` first, then `TOOLKIT_<NAME>`. One read
 * serves all names for `ttlMs`. When Vault cannot be reached, the values of the last read stay in use; when it refuses, they
 * do not.
 */
export const secretsVault = definePlugin({
  name: 'secrets-vault',
  apiVersion,
  optionsSchema: VaultOptionsSchema,
  apply(api, options) {
    const reader = new VaultReader(options, {
      env: () => options.env ?? process.env,
      cwd: api.cwd,
      now: () => Date.now(),
      maskAlso: (name, value) => api.maskAlso(name, value),
      mask: (text) => api.kernel.mask(text),
    });
    const secrets = new RemoteSecrets(reader, options);
    api.hooks.resolveSecrets.tapPromise('secrets-vault', (sink, context) => secrets.resolve(sink, context));
    api.hooks.dispose.tapPromise('secrets-vault', () => {
      secrets.close();
      return reader.close();
    });
  },
});
