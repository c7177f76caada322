import { ToolkitError } from '../../../../kernel/index.ts';
import type { ChainValues } from '../../chain-values.ts';
import type { SignInOptions } from '../../options.ts';

/** Returns the secret of the client for sign-ins, and masks it. Throws CONFIG_INVALID when the resolver chain lacks it. */
export async function signInSecret(
  secret: SignInOptions['clientSecret'],
  chain: Pick<ChainValues, 'find'>,
  mask: (value: string) => void,
): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  const value = typeof secret === 'string' ? secret : (await chain.find([secret.secret])).get(secret.secret);
  if (typeof secret !== 'string' && (value ?? '') === '')
    throw new ToolkitError('CONFIG_INVALID', `The secret ${secret.secret} of "signIn" was not found: no resolver has it. Add it there.`);
  if (value !== undefined) mask(value);
  return value;
}
