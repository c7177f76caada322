import { randomUUID } from 'node:crypto';
import type { GrantOwner } from '../grants/grant.ts';
import { beginLocalLogin, type LocalLogin, type LocalLoginServices } from './local-login.ts';

/** A login that calls wait for. */
export interface SharedLogin extends LocalLogin {
  /** Unlike that of any other login. */
  readonly id: string;
}

interface Entry {
  readonly login: Promise<SharedLogin | undefined>;
  /** Calls that wait for it. */
  users: number;
}

/** The logins in browsers of this machine: calls that need the same account wait for one. */
export class LocalLogins {
  readonly #services: LocalLoginServices;
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  constructor(services: LocalLoginServices) {
    this.#services = services;
  }

  /**
   * Runs work with the login of an owner: the one that is open, else a new one. The login ends with the last work that uses it; `keepsOpen`: it stays
   * for a call that comes again, within its time limit. Undefined where there can be no login.
   */
  async use<T>(
    owner: GrantOwner,
    scopes: readonly string[],
    { work, keepsOpen }: { work(login: SharedLogin): Promise<T>; keepsOpen(error: unknown): boolean },
  ): Promise<T | undefined> {
    if (this.#isClosed) return undefined;
    const key = JSON.stringify([owner.tenant, owner.caller, owner.provider, owner.issuer, owner.account, [...scopes].sort()]);
    const entry = this.#entries.get(key) ?? this.#begin(key, owner, scopes);
    entry.users++;
    let isKept = false;
    try {
      const login = await entry.login;
      return login === undefined ? undefined : await work(login);
    } catch (error) {
      isKept = keepsOpen(error);
      throw error;
    } finally {
      entry.users--;
      if (entry.users === 0 && !isKept) await this.#end(key, entry);
    }
  }

  /** Ends every login. Resolves when their listeners are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries].map(([key, entry]) => this.#end(key, entry)));
  }

  #begin(key: string, owner: GrantOwner, scopes: readonly string[]): Entry {
    const begun = beginLocalLogin(owner, scopes, this.#services);
    const entry: Entry = { login: begun.then((login) => login && { ...login, id: randomUUID() }), users: 0 };
    this.#entries.set(key, entry);
    // A login that has ended serves no other call.
    const forget = (): void => this.#forget(key, entry);
    entry.login.then((login) => (login === undefined ? forget() : login.ended.then(forget)), forget);
    return entry;
  }

  async #end(key: string, entry: Entry): Promise<void> {
    this.#forget(key, entry);
    await (await entry.login.catch(() => undefined))?.close();
  }

  #forget(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}
