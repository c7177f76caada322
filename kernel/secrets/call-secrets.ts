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
  /** True when the values are the caller's own. The resolvers were not asked. */
  readonly areOwn: boolean;
}

/** The function of a plugin that returns the credentials of callers. */
export interface CredentialsSource {
  readonly plugin: string;
  readonly of: CredentialsOf;
}
