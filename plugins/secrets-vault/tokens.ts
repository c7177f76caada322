import path from 'node:path';
import { isPlainObject, ToolkitError } from '../../kernel/index.ts';
import { refusal } from '../shared/remote-secrets/store-failure.ts';
import { readText, readTextIfReadable } from '../shared/text/read-text.ts';
import { answerError, type RequestContext } from './answer-error.ts';
import { detailsOf, type VaultAnswer, type VaultRequest } from './connection.ts';
import type { Variables, VaultAuth } from './options.ts';
import { cleanPath } from './secret-location.ts';

export interface Token {
  readonly value: string;
  /** True for a token of a login for an earlier read: another login may give one that is accepted. */
  readonly isCached: boolean;
  /** Advice for a refused token, as a sentence. */
  readonly advice: string;
}

export interface TokenServices {
  readonly env: Variables;
  /** The folder at which relative paths in options start. */
  readonly cwd: string;
  readonly now: () => number;
  readonly maskAlso: (name: string, value: string) => void;
  readonly mask: (text: string) => string;
  login(mount: string, body: Readonly<Record<string, string>>, signal: AbortSignal): Promise<[VaultRequest, VaultAnswer]>;
}

/** Part of a token's lifetime after which a new login is made. */
const renewFraction = 0.9;

/** Tokens for reads. Tokens of a login are cached in memory until they are near their end. */
export class Tokens {
  readonly #auth: VaultAuth;
  readonly #services: TokenServices;
  #cached: { readonly value: string; readonly renewAt: number } | undefined;

  constructor(auth: VaultAuth, services: TokenServices) {
    this.#auth = auth;
    this.#services = services;
  }

  /** Returns a token. Throws SECRET_STORE_UNAVAILABLE. `isRefused`: the cached token was refused and is not returned again. */
  async get(signal: AbortSignal, { isRefused = false } = {}): Promise<Token> {
    const auth = this.#auth;
    if (auth.method === 'token') {
      return {
        value: await this.#readToken(auth),
        isCached: false,
        advice: `Renew the token, or give its policy the capability "read" there`,
      };
    }
    const advice = 'Give the policies of the role the capability "read" there';
    const cached = this.#cached;
    if (!isRefused && cached !== undefined && this.#services.now() < cached.renewAt) return { value: cached.value, isCached: true, advice };
    this.#cached = undefined;
    this.#cached = await this.#login(auth, signal);
    return { value: this.#cached.value, isCached: false, advice };
  }

  async #readToken({ tokenPath }: Extract<VaultAuth, { method: 'token' }>): Promise<string> {
    const { env, cwd } = this.#services;
    if (tokenPath !== undefined)
      return this.#requireUsable(await readTokenFile(path.resolve(cwd, tokenPath), 'tokenPath'), `"${tokenPath}"`);
    if (env['VAULT_TOKEN']) return this.#requireUsable(env['VAULT_TOKEN'], 'VAULT_TOKEN');
    const home = env['HOME'] || env['USERPROFILE'];
    const text = (home ? await readTextIfReadable(path.join(home, '.vault-token')) : undefined) ?? '';
    if (text.trim() !== '') return this.#requireUsable(text, '"~/.vault-token"');
    throw refusal(
      'There is no token for Vault: expected VAULT_TOKEN, or a file ~/.vault-token. Set it, log in with "vault login", or choose another auth.method.',
    );
  }

  async #login(auth: Exclude<VaultAuth, { method: 'token' }>, signal: AbortSignal): Promise<{ value: string; renewAt: number }> {
    const { now, mask, login } = this.#services;
    const askedAt = now();
    const [request, answer] = await login(
      cleanPath(auth.mount ?? auth.method, 'auth.mount'),
      auth.method === 'approle' ? this.#appRole(auth) : await this.#kubernetes(auth),
      signal,
    );
    if (answer.status !== 200) throw answerError({ request, mask, advice: adviceFor(auth) } satisfies RequestContext, answer);
    const granted = isPlainObject(answer.body) && isPlainObject(answer.body['auth']) ? answer.body['auth'] : {};
    const { client_token: value, lease_duration: leaseS, mfa_requirement: mfa } = granted;
    if (typeof value !== 'string' || value === '') {
      const reason = mfa
        ? 'it asks for a second factor. Exempt this login'
        : 'expected "auth.client_token". Check VAULT_ADDR and auth.mount';
      throw refusal(`${request.location.label} gave no token at "${request.path}": ${reason}.`, detailsOf(request, answer.status));
    }
    // A duration of 0 means a token without an end.
    const lifeMs = typeof leaseS === 'number' && leaseS > 0 ? leaseS * 1000 : Number.POSITIVE_INFINITY;
    return { value: this.#requireUsable(value, 'the login'), renewAt: askedAt + lifeMs * renewFraction };
  }

  #appRole({ roleId, secretId }: Extract<VaultAuth, { method: 'approle' }>): Readonly<Record<string, string>> {
    const { env, maskAlso } = this.#services;
    const role = roleId ?? env['VAULT_ROLE_ID'];
    const secret = secretId ?? env['VAULT_SECRET_ID'];
    if (!role) throw refusal('The login to Vault has no role: expected VAULT_ROLE_ID, or auth.roleId. Set it.');
    if (!secret) return { role_id: role.trim() };
    maskAlso('VAULT_SECRET_ID', secret.trim());
    return { role_id: role.trim(), secret_id: secret.trim() };
  }

  async #kubernetes({ role, jwtPath }: Extract<VaultAuth, { method: 'kubernetes' }>): Promise<Readonly<Record<string, string>>> {
    const { cwd, maskAlso } = this.#services;
    const file = path.resolve(cwd, jwtPath ?? '/var/run/secrets/kubernetes.io/serviceaccount/token');
    const jwt = (await readTokenFile(file, 'auth.jwtPath')).trim();
    if (jwt === '') throw refusal(`The file "${file}" (auth.jwtPath) is empty: expected the token of the service account.`, { file });
    maskAlso('VAULT_JWT', jwt);
    return { role, jwt };
  }

  /** Checks and masks a token. fetch quotes a header value that it refuses, so an invalid token must never reach it. */
  #requireUsable(text: string, from: string): string {
    const value = text.trim();
    this.#services.maskAlso('VAULT_TOKEN', value);
    if (/^[\x21-\x7e]+$/.test(value)) return value;
    throw refusal(`The token for Vault from ${from} cannot be sent: expected ASCII without spaces, received other characters. Replace it.`);
  }
}

function adviceFor(auth: Exclude<VaultAuth, { method: 'token' }>): string {
  if (auth.method === 'approle') return 'Check VAULT_ROLE_ID and VAULT_SECRET_ID; a secret ID may be used up or expired';
  return `Check the role "${auth.role}", and that it is bound to this service account and its namespace`;
}

async function readTokenFile(file: string, option: string): Promise<string> {
  return readText(file).catch((error: NodeJS.ErrnoException) => {
    if (ToolkitError.is(error)) throw refusal(`${error.message}.`, { file }, error);
    const received = error.code === 'ENOENT' ? 'nothing: it does not exist' : `an error (${error.code})`;
    throw refusal(
      `The file "${file}" (${option}) cannot be read: expected a token, received ${received}. Correct the path.`,
      { file },
      error,
    );
  });
}
