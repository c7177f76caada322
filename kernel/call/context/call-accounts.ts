import type { ToolkitError } from '../../errors.ts';
import type { Secret } from '../../secrets/secret.ts';
import type { SourcedHandles } from '../../secrets/sourced-handles.ts';
import type { LackedCredential } from '../../secrets/sourced-secrets.ts';

/** The accounts of one call: those that it used, and those that sources lack for it. */
export class CallAccounts {
  readonly #handles: SourcedHandles;
  readonly #used = new Map<string, string>();
  readonly #lacks: LackedCredential[] = [];

  constructor(handles: SourcedHandles) {
    this.#handles = handles;
  }

  /** Records the accounts that these credentials open. */
  use(credentials: ReadonlyMap<string, Secret>): void {
    for (const handle of credentials.values()) {
      const account = this.#handles.accountOf(handle);
      if (account !== undefined) this.#used.set(account.provider, account.name);
    }
  }

  /** Names of the used accounts by provider. Undefined without any. */
  get names(): Readonly<Record<string, string>> | undefined {
    return this.#used.size === 0 ? undefined : Object.fromEntries(this.#used);
  }

  recordLack(lack: LackedCredential): void {
    this.#lacks.push(lack);
  }

  /** Returns the credential whose lack is behind an error. A plugin may have added details to the error. */
  lackBehind({ code, message }: ToolkitError): LackedCredential | undefined {
    return this.#lacks.find(({ error }) => error.code === code && error.message === message);
  }
}
