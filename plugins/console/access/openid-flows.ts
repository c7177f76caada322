import { hkdfSync } from 'node:crypto';
import type { StateStore } from '../../../kernel/index.ts';
import { Cipher } from '../../shared/keys/cipher.ts';
import type { SignInRequest } from '../../shared/oauth/sign-in.ts';
import { sha256 } from './digest.ts';

/** Time in which a person must come back from the provider, in milliseconds. */
export const flowTtlMs = 10 * 60_000;

/**
 * Begun logins at the OpenID provider, over all processes of the store. Each is encrypted with a key that only the browser has that began it, in its
 * cookie: no other browser can finish it, and the store has no verifier to read.
 */
export class OpenidFlows {
  readonly #state: Pick<StateStore, 'get' | 'set' | 'compareAndSet'>;

  constructor(state: Pick<StateStore, 'get' | 'set' | 'compareAndSet'>) {
    this.#state = state;
  }

  /** Keeps a login. `state`: the parameter by which its redirect finds it. `browser`: the value of the cookie. */
  async keep(state: string, browser: string, request: SignInRequest): Promise<void> {
    const key = keyOf(state);
    const sealed = cipherOf(browser).encrypt(JSON.stringify(request), key).toString('base64url');
    await this.#state.set(key, sealed, { ttlMs: flowTtlMs });
  }

  /** Returns a login once, to the browser that began it; undefined otherwise. */
  async take(state: string, browser: string): Promise<SignInRequest | undefined> {
    const key = keyOf(state);
    const sealed = await this.#state.get(key);
    const text = sealed === undefined ? undefined : cipherOf(browser).decrypt(Buffer.from(sealed, 'base64url'), key);
    if (text === undefined || !(await this.#state.compareAndSet(key, sealed, undefined))) return undefined;
    // Own text: encrypted by `keep`.
    return JSON.parse(text) as SignInRequest;
  }
}

function keyOf(state: string): string {
  return `openid/${sha256(state)}`;
}

function cipherOf(browser: string): Cipher {
  const key = Buffer.from(hkdfSync('sha256', browser, '', 'toolkit console login', 32));
  return new Cipher(() => [key]);
}
