import { isPlainObject, type OutboundFetch, ToolkitError } from '../../../kernel/index.ts';
import type { Challenge } from '../../shared/http/challenge.ts';
import type { AccountAccess, AccountService } from '../../shared/oauth/account-service.ts';
import { NotSentError } from '../connect/not-sent-error.ts';
import { type AccountOwner, operator, providerOf } from './account-owner.ts';
import { bearerFetch } from './bearer-fetch.ts';
import { forgottenError, loginError, refusedError, scopesError } from './login-errors.ts';

/** A login at the time at which a connection is opened: requests of another one never use that connection. */
export interface ConnectionLogin extends AccountOwner {
  /** Differs between logins, not between tokens of one login. */
  readonly id: string;
}

export interface ServerLoginOptions {
  readonly server: string;
  readonly url: string;
  readonly isOfCallers: boolean;
  /** True when the operator has registered the client. */
  readonly hasOwnClient: boolean;
  readonly service: () => AccountService;
  /** Called when a token gets 401, before another one is fetched: the server may name another issuer, whose grant is the one to use. */
  readonly onRefused: (challenge: Challenge) => void;
  /** Scopes of a login without a challenge, as far as they are known. */
  readonly scopes: () => readonly string[];
  /** Masks a value until the end of this process. */
  readonly maskAlso: (name: string, value: string) => void;
}

/** A call during which the tokens of its caller are masked. */
export interface MaskedCall extends AccountOwner {
  maskAlso(name: string, value: string): void;
}

/** The logins at one server: whose token its requests carry. */
export class ServerLogin {
  readonly #options: ServerLoginOptions;
  /** Scopes that the server has asked for, by owner, so that a later login has all of them. */
  readonly #challenged = new Map<string, readonly string[]>();
  readonly #calls = new Set<MaskedCall>();
  /** The last token that was refused: of its many requests at the same time, one has the login looked up again. */
  #lastRefused: string | undefined;

  constructor(options: ServerLoginOptions) {
    this.#options = options;
  }

  ownerOf({ tenant, caller }: AccountOwner): AccountOwner {
    return this.#options.isOfCallers ? { tenant, caller } : operator;
  }

  /** Masks the tokens of a caller's own account in its call, also those that come while it runs. Returns a function that ends it. */
  maskIn(call: MaskedCall): () => void {
    if (!this.#options.isOfCallers) return () => {};
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }

  /** Returns the login of an owner. Throws AUTH_REQUIRED with the way to one. `isForCaller`: true when the owner's caller gets that error. */
  async current(owner: AccountOwner, signal: AbortSignal, isForCaller = false): Promise<ConnectionLogin> {
    return { ...owner, id: idOf(await this.#access(owner, { signal, ...this.#linkFor(isForCaller) })) };
  }

  /** Returns a fetch for one connection: each request carries the token of that login as it is now. */
  fetchFor(login: ConnectionLogin, fetch: OutboundFetch): OutboundFetch {
    const { server, url } = this.#options;
    const access = async (signal: AbortSignal, refused?: string): Promise<string> => {
      const found = await this.#access(login, { signal, ...(refused === undefined ? {} : { refused }) });
      // Another login: the server must not take its requests for those of this session.
      if (idOf(found) !== login.id) throw new NotSentError(server);
      return found.accessToken;
    };
    return bearerFetch({
      fetch,
      url,
      access,
      onRefused: (challenge, token) => this.#onRefused(challenge, token),
      refused: () => refusedError(server, login),
      scopesLacked: (challenge, signal) => this.#scopesLacked(login, challenge, signal),
    });
  }

  async #access(
    { tenant, caller }: AccountOwner,
    more: Pick<Parameters<AccountService['access']>[0], 'signal' | 'refused' | 'scopes' | 'offersLink'>,
  ): Promise<AccountAccess> {
    const { server, service } = this.#options;
    try {
      const found = await service().access({ provider: providerOf(server), tenant, caller, ...more });
      this.#mask({ tenant, caller }, found.accessToken);
      return found;
    } catch (error) {
      if (!ToolkitError.is(error)) throw error;
      const isForgotten = !this.#options.hasOwnClient && error.code === 'AUTH_FAILED' && refusalOf(error) === 'invalid_client';
      throw isForgotten ? forgottenError(server, { tenant, caller }, error) : loginError(error, server);
    }
  }

  /** A link connects an account to its caller: that of the operator is for nobody else. */
  #linkFor(isForCaller: boolean): { readonly offersLink?: true } {
    return isForCaller && this.#options.isOfCallers ? { offersLink: true } : {};
  }

  #onRefused(challenge: Challenge, token: string): void {
    if (token === this.#lastRefused) return;
    this.#lastRefused = token;
    this.#options.onRefused(challenge);
  }

  /** The operator's tokens may be in what any caller reads; those of a caller only in the answers of its calls. */
  #mask(owner: AccountOwner, token: string): void {
    const { server, isOfCallers, maskAlso } = this.#options;
    const name = `access token of ${server}`;
    if (!isOfCallers || isSame(owner, operator)) maskAlso(name, token);
    else for (const call of this.#calls) if (isSame(call, owner)) call.maskAlso(name, token);
  }

  async #scopesLacked(owner: AccountOwner, { scopes: asked }: Challenge, signal: AbortSignal): Promise<ToolkitError> {
    const { server, scopes } = this.#options;
    const key = JSON.stringify([owner.tenant, owner.caller]);
    const united = [...new Set([...scopes(), ...(this.#challenged.get(key) ?? []), ...asked])];
    this.#challenged.set(key, united);
    const way = await this.#access(owner, { signal, scopes: united, ...this.#linkFor(true) }).catch((error: unknown) => error);
    return scopesError(server, owner, united, ToolkitError.is(way) ? way : undefined);
  }
}

/** Returns the code with which an authorization server refused a request. */
function refusalOf({ details: { oauth } }: ToolkitError): unknown {
  return isPlainObject(oauth) ? oauth['error'] : undefined;
}

function isSame(one: AccountOwner, other: AccountOwner): boolean {
  return one.tenant === other.tenant && one.caller === other.caller;
}

/** `grant` tells two logins of the same account name apart, where the service gives it. */
function idOf({ account, grant = '' }: AccountAccess): string {
  return JSON.stringify([account, grant]);
}
