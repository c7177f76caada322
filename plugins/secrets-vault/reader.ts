import path from 'node:path';
import type { ToolkitError } from '../../kernel/index.ts';
import type { RemoteStore, StoredValues } from '../shared/remote-secrets/remote-store.ts';
import { outage } from '../shared/remote-secrets/store-failure.ts';
import { answerError } from './answer-error.ts';
import { sendRequest, type VaultAnswer, type VaultRequest } from './connection.ts';
import type { Variables, VaultOptions } from './options.ts';
import { locationOf, type SecretLocation } from './secret-location.ts';
import { type Token, type TokenServices, Tokens } from './tokens.ts';
import { TrustedConnections } from './trusted-connections.ts';
import { valuesIn, withoutValues } from './values.ts';

export type ReaderServices = Omit<TokenServices, 'login' | 'env'> & { readonly env: () => Variables };

/** Reads the secret that the options name, and logs in where needed. */
export class VaultReader implements RemoteStore {
  readonly label = 'Vault';
  readonly closingMessage = 'The read of Vault was ended because the kernel is closing.';
  readonly #options: VaultOptions;
  readonly #services: ReaderServices;
  readonly #tokens: Tokens;
  readonly #trust = new TrustedConnections();

  constructor(options: VaultOptions, services: ReaderServices) {
    this.#options = options;
    this.#services = services;
    this.#tokens = new Tokens(options.auth ?? { method: 'token' }, {
      ...services,
      get env() {
        return services.env();
      },
      login: async (mount, body, signal) => {
        const request = this.#request({ method: 'POST', path: `auth/${mount}/login`, body });
        return [request, await sendRequest(request, this.#trust, signal)];
      },
    });
  }

  /** Reads all values. Throws SECRET_STORE_UNAVAILABLE. */
  async read(signal: AbortSignal): Promise<StoredValues> {
    const { secretPath } = this.#location();
    const first = await this.#tokens.get(signal);
    const [request, answer, token] = await this.#requestSecret(secretPath, first, signal);
    const values = valuesIn(answer);
    if (values !== undefined) return values;
    const { mask } = this.#services;
    throw withoutValues(request, answer) ?? answerError({ request, mask, advice: token.advice }, answer);
  }

  createTimeoutError(timeoutMs: number): ToolkitError {
    const { label, secretPath, address } = this.#location();
    return outage(
      `${label} did not answer for "${secretPath}" within ${timeoutMs} ms. Check VAULT_ADDR and the network, or raise timeoutMs.`,
      { address: address.href, path: secretPath, timeoutMs },
    );
  }

  close(): Promise<void> {
    return this.#trust.reset();
  }

  /** Requests the secret. A cached token that is refused may have been revoked, so it logs in again. */
  async #requestSecret(secretPath: string, token: Token, signal: AbortSignal): Promise<[VaultRequest, VaultAnswer, Token]> {
    const request = this.#request({ method: 'GET', path: secretPath, token: token.value });
    const answer = await sendRequest(request, this.#trust, signal);
    if (answer.status !== 403 || !token.isCached) return [request, answer, token];
    return this.#requestSecret(secretPath, await this.#tokens.get(signal, { isRefused: true }), signal);
  }

  #request(request: Omit<VaultRequest, 'location' | 'caFile'>): VaultRequest {
    const { cwd, env } = this.#services;
    const { caCert } = this.#options;
    const fromEnv = env()['VAULT_CACERT'];
    const caFile = caCert !== undefined ? path.resolve(cwd, caCert) : fromEnv ? path.resolve(fromEnv) : undefined;
    return { ...request, location: this.#location(), caFile };
  }

  #location(): SecretLocation {
    return locationOf(this.#options, this.#services.env());
  }
}
