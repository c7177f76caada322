import type { Secret } from './secret.ts';

/** What a caller's calls use: these values, by the name of the secret, and no other; or what the resolver chain has. */
export type CallerCredentials = Readonly<Record<string, string>> | 'chain';

/**
 * Says what the calls of a caller use. Asked for each call that needs a secret, so keep what takes long to find. A caller of whom it gives nothing has
 * no credentials: the chain is never a way out. An object that is given again, as it was, lets calls share what `cache` keeps.
 */
export type CredentialsOf = (caller: string) => CallerCredentials | undefined | Promise<CallerCredentials | undefined>;

/** The secrets of one call. */
export interface CallSecrets {
  get(name: string): Secret | undefined;
  /** They are the caller's own, and the chain was not asked. */
  readonly areOwn: boolean;
}

/** What a plugin has said of the credentials of callers. */
export interface CredentialsSource {
  readonly plugin: string;
  readonly of: CredentialsOf;
}
