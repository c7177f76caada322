import type { ToolkitError } from '../errors.ts';
import type { Secret } from './secret.ts';

/** The credentials for a caller's calls: values by the name of the secret and no others, or `chain` for the secrets of the resolvers. */
export type CallerCredentials = Readonly<Record<string, string>> | 'chain';

/**
 * Returns the credentials of a caller. Called for each call that needs a secret, so cache a slow lookup. Undefined means no credentials: the
 * resolvers are never a fallback. Return the same object while the values stay the same, so that calls can share cached results.
 */
export type CredentialsOf = (caller: string) => CallerCredentials | undefined | Promise<CallerCredentials | undefined>;

/** The secrets of one call. */
export interface CallSecrets {
  get(name: string): Secret | undefined;
  /** Returns the error of a source (`CredentialSource`) for a call that cannot do without this secret. Undefined when none has one, or there is a value. */
  missing(name: string): ToolkitError | undefined;
  /** True when some of the values are the caller's own: share with other callers nothing that they give access to. */
  readonly areOwn: boolean;
  /** True when the resolvers were asked for the names without another value. */
  readonly usesChain: boolean;
}

/** The function of a plugin that returns the credentials of callers. */
export interface CredentialsSource {
  readonly plugin: string;
  readonly of: CredentialsOf;
}
