import {
  type AccessRequest,
  type CredentialOwner,
  type CredentialRequest,
  type CredentialSource,
  type MissingCredential,
  type SourcedCredential,
  ToolkitError,
} from '../../kernel/index.ts';
import { accountLabel } from './account-label.ts';
import type { Accounts } from './accounts.ts';
import type { Grant } from './grants/grant.ts';
import type { ProvidedNames } from './providers/provided-names.ts';
import { scopesError } from './scopes-lacked.ts';

type Answer = SourcedCredential | MissingCredential;

interface SourceServices {
  readonly accounts: Accounts;
  readonly names: ProvidedNames;
  /** Asks a person to connect an account: see `CredentialSource.ask`. @default the error goes to the caller */
  readonly ask?: (request: AccessRequest) => Promise<boolean>;
  /** Returns the time in epoch ms. */
  readonly now: () => number;
}

/** Codes of a caller without an account, and of a provider whose settings are incomplete: secrets of the chain may do. */
const lacks: ReadonlySet<string> = new Set(['AUTH_REQUIRED', 'CONFIG_INVALID', 'MISSING_PARAMETER']);

/** The accounts of callers as a source of credentials. */
export class AccountCredentials implements Omit<CredentialSource, 'provides'> {
  readonly #services: SourceServices;

  constructor(services: SourceServices) {
    this.#services = services;
  }

  async find(request: CredentialRequest): Promise<ReadonlyMap<string, Answer>> {
    const answers = new Map<string, Answer>();
    for (const [provider, names] of this.#byProvider(request))
      for (const [name, answer] of await this.#answers(provider, names, request)) answers.set(name, answer);
    return answers;
  }

  async ask(request: AccessRequest): Promise<boolean> {
    return (await this.#services.ask?.(request)) === true;
  }

  async known({ caller, tenant }: CredentialOwner, names: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    const known = new Map<string, boolean>();
    for (const name of names) {
      const provider = this.#services.names.providerOf(name);
      if (provider === undefined || !(await this.#services.accounts.providers.hasClient(provider))) continue;
      const isConnected = await this.#services.accounts.isConnected({ caller, tenant, provider });
      // The resolver chain may have a value for the caller `default`.
      if (isConnected || caller !== 'default') known.set(name, isConnected);
    }
    return known;
  }

  /** Returns the secrets of which a call of the owner would get a value. */
  async connected(owner: CredentialOwner, names: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set([...(await this.known(owner, names))].flatMap(([name, isKnown]) => (isKnown ? [name] : [])));
  }

  #byProvider({ names, tool }: CredentialRequest): ReadonlyMap<string, readonly string[]> {
    const byProvider = new Map<string, string[]>();
    for (const name of names) {
      const provider = this.#services.names.providerOf(name, tool);
      if (provider !== undefined) byProvider.set(provider, [...(byProvider.get(provider) ?? []), name]);
    }
    return byProvider;
  }

  async #answers(provider: string, names: readonly string[], request: CredentialRequest): Promise<readonly (readonly [string, Answer])[]> {
    const { accounts } = this.#services;
    // Without a client nobody can log in: the secrets of the resolver chain are all there is.
    if (!(await accounts.providers.hasClient(provider))) return [];
    const { caller, tenant, tool, refused, scopesLacked, signal } = request;
    const holder = { caller, tenant, provider };
    let missing: ToolkitError | undefined;
    let grant: Grant | undefined;
    try {
      const isRefused = ({ values }: Grant['tokens']): boolean =>
        names.some((name) => values[name] !== undefined && values[name] === refused?.get(name));
      // A refresh gives no more scopes.
      grant = await accounts.live(holder, scopesLacked === undefined ? { isRefused, signal } : { signal });
      // Another login may have given them since.
      const isNewer = scopesLacked !== undefined && grant !== undefined && !isRefused(grant.tokens);
      const lack = grant === undefined || isNewer ? undefined : await scopesError(accounts, { grant, tool, refusal: scopesLacked });
      if (lack !== undefined) return names.map((name) => [name, { missing: lack, isFinal: true }] as const);
    } catch (error) {
      if (!ToolkitError.is(error) || error.retryable || !lacks.has(error.code)) throw error;
      missing = error;
    }
    const scopes = tool.definition.authentication?.required_scopes ?? [];
    const lacking = missing ?? accounts.authRequired(holder, { kind: 'none' }, scopes);
    return names.map((name) => [name, this.#credential(grant, name) ?? { missing: lacking, isFinal: caller !== 'default' }] as const);
  }

  #credential(grant: Grant | undefined, name: string): SourcedCredential | undefined {
    const value = grant?.tokens.values[name];
    if (grant === undefined || value === undefined) return undefined;
    const { owner, tokens } = grant;
    const account = { provider: owner.provider, name: accountLabel(grant) };
    if (tokens.lifetimeMs === undefined) return { value, account };
    return { value, account, deadAfterMs: Math.max(1, tokens.receivedAt + tokens.lifetimeMs - this.#services.now()) };
  }
}
