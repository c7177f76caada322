import { type CredentialsOf, didYouMean, type Kernel, type Logger, ToolkitError } from '../../../../kernel/index.ts';
import { isCallerOf } from './authorization/caller-name.ts';
import type { HttpOptions } from './options.ts';

type Options = Pick<HttpOptions, 'tokens' | 'tokensFile' | 'issuers'> & { readonly onlyAvailable?: boolean };

/**
 * Returns the credentials of callers; undefined when no token has credentials. A caller without such a token, such as `default`, is the
 * operator's and uses the resolver chain; a caller of an issuer has none. Throws CONFIG_INVALID when a token lacks `credentials`, because it
 * would get the operator's, and for options that need one list for all callers.
 */
export function credentialsByToken({ tokens = [], tokensFile, issuers = [], onlyAvailable }: Options): CredentialsOf | undefined {
  if (tokens.every(({ credentials }) => credentials === undefined)) return undefined;
  if (tokensFile !== undefined)
    throw new ToolkitError(
      'CONFIG_INVALID',
      'The tokens have credentials of their own, and those of "tokensFile" cannot: their callers would use the resolver chain. Leave one of the two out.',
    );
  const silent = tokens.find(({ credentials }) => credentials === undefined);
  if (silent !== undefined)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `The token of the caller "${silent.name}" has no "credentials", and others have: expected names and values, {} for none, or "chain" for those of the resolver chain.`,
    );
  if (onlyAvailable === true)
    throw new ToolkitError(
      'CONFIG_INVALID',
      'The tokens have credentials of their own, and "onlyAvailable" lists what the resolver chain has the secrets of, for all callers. Leave one of the two out.',
    );
  const byName = new Map(tokens.map(({ name, credentials }) => [name, credentials]));
  const isOfIssuer = isCallerOf(issuers.map(({ issuer }) => issuer));
  return (caller) => byName.get(caller) ?? (isOfIssuer(caller) ? {} : 'chain');
}

/** Warns about credentials that no tool needs. */
export function warnOfUnused({ tokens = [] }: Options, { registry }: Kernel, logger: Logger): void {
  const needed = new Set([...registry.tools.values()].flatMap(({ credentials }) => credentials.map(({ secret }) => secret)));
  for (const { name, credentials = {} } of tokens)
    for (const secret of credentials === 'chain' ? [] : Object.keys(credentials))
      if (!needed.has(secret)) logger.warn(`no tool needs the credential ${secret} of the caller "${name}".${didYouMean(secret, needed)}`);
}
