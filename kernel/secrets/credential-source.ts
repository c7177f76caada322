import type { CallClient } from '../client/client.ts';
import type { Tool } from '../definition/schema/tool.ts';
import type { ToolkitError } from '../errors.ts';
import type { MaybePromise } from '../time/maybe-promise.ts';

/** The value of a caller's credential. */
export interface SourcedCredential {
  readonly value: string;
  /** Time after which no request is sent with the value, in milliseconds from now: calls ask the source again. @default never */
  readonly deadAfterMs?: number;
  /** The account that the value opens, for people, by the name of its provider: the result of the call names it. @default none */
  readonly account?: { readonly provider: string; readonly name: string };
}

/** The answer for a name without a value. */
export interface MissingCredential {
  /** The error of a call that cannot do without the credential. */
  readonly missing: ToolkitError;
  /** True when neither a later source nor the resolver chain may give it to this caller. @default false */
  readonly isFinal?: boolean;
}

/** The caller that credentials are for. */
export interface CredentialOwner {
  readonly caller: string;
  readonly tenant: string;
}

/** The refusal of a request for want of scopes (RFC 6750, 3.1): it was not carried out. */
export interface ScopeRefusal {
  /** The scopes that the service names. Foreign text. Empty where it names none. */
  readonly scopes: readonly string[];
  /** True when one of the scopes is enough. @default false */
  readonly isAnyOf?: boolean;
}

/** One request of a call to a source. */
export interface CredentialRequest extends CredentialOwner {
  /** Names of secrets, each of which the source provides. */
  readonly names: readonly string[];
  readonly tool: Tool;
  /** Values that a service has refused (401), by name. Give others, or none. @default none */
  readonly refused?: ReadonlyMap<string, string>;
  /** Set when a service has refused the values of `refused` for want of scopes: a newer token of the same access does not help. @default none */
  readonly scopesLacked?: ScopeRefusal;
  readonly signal: AbortSignal;
}

/** A request to a person of the caller, after a call failed with AUTH_REQUIRED. */
export interface AccessRequest extends CredentialOwner {
  readonly tool: Tool;
  /** The error of this source, with its details. */
  readonly error: ToolkitError;
  readonly client: CallClient;
  readonly signal: AbortSignal;
}

/** A source of credentials that differ between callers, such as accounts at providers. */
export interface CredentialSource {
  /** Returns true for a secret of which this source may have values. Called for each call: answer from memory. */
  provides(name: string): boolean;
  /** Returns credentials by name. A name that is not in the map is left to the next source, then to the resolver chain. On throw: the call fails. */
  find(request: CredentialRequest): MaybePromise<ReadonlyMap<string, SourcedCredential | MissingCredential>>;
  /**
   * Asks the caller's person for access, within the time limit of `approve`. Resolves to true when `find` should be asked again. A client that
   * answers in another request ends the call here, and it runs again with the answer. @default the error goes to the caller
   */
  ask?(request: AccessRequest): Promise<boolean>;
  /** Returns for each name: true when a call of the owner would get a value, false when it would fail. For lists of tools. @default not known */
  known?(owner: CredentialOwner, names: readonly string[]): MaybePromise<ReadonlyMap<string, boolean>>;
}
