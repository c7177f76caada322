import { type Kernel, type Secret, ToolkitError } from '../../../kernel/index.ts';
import type { OpenidOptions } from '../options.ts';

export interface ClientSecretServices {
  readonly kernel: () => Pick<Kernel, 'resolveSecrets' | 'secret'>;
  /** `revealSecret` of the kernel's own copy. */
  readonly reveal: (secret: Secret) => string;
  readonly mask: (value: string) => void;
}

/** Returns a function that reads the secret of the OpenID client, and masks it. It throws CONFIG_INVALID when the resolver chain lacks it. */
export function clientSecretReader(
  secret: OpenidOptions['clientSecret'],
  { kernel, reveal, mask }: ClientSecretServices,
): () => Promise<string | undefined> {
  if (typeof secret === 'string') mask(secret);
  return async () => {
    if (typeof secret !== 'object') return secret;
    await kernel().resolveSecrets([secret.secret]);
    const handle = kernel().secret(secret.secret);
    if (handle === undefined)
      throw new ToolkitError(
        'CONFIG_INVALID',
        `The secret ${secret.secret} of "openid.clientSecret" of console() was not found: no resolver has it. Add it there.`,
      );
    return reveal(handle);
  };
}
