import { isPlainObject, type StateStore } from '../../../kernel/index.ts';
import { randomValue } from '../../shared/keys/random-value.ts';
import { derivedValue, isRandomValue, sha256 } from './digest.ts';

/** A person who is signed in, in one browser. */
export interface Session {
  readonly name: string;
  /** Token of the session's POSTs, which a page of another site cannot know. */
  readonly csrf: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** Its key in the store. */
  readonly key: string;
}

export interface SessionsOptions {
  readonly state: Pick<StateStore, 'get' | 'set' | 'delete'>;
  readonly ttlMs: number;
  /** Digest of the way to log in: sessions of another one have ended, such as those of persons before `operators` was changed. */
  readonly way: string;
  /** Clock, epoch ms. */
  readonly now: () => number;
}

/** Sessions of the console, over all processes of the store, which has the SHA-256 of their values only. */
export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Life of a session, in seconds. */
  get maxAgeS(): number {
    return this.#options.ttlMs / 1000;
  }

  /** Begins a session with a new value, which only the browser gets. */
  async begin(name: string): Promise<string> {
    const { state, ttlMs, way, now } = this.#options;
    const value = randomValue();
    await state.set(keyOf(value), JSON.stringify({ name, way, expiresAt: now() + ttlMs }), { ttlMs });
    return value;
  }

  /** Returns the session of the first value that has one. */
  async find(values: readonly string[]): Promise<Session | undefined> {
    for (const value of values) {
      const session = isRandomValue(value) ? await this.#read(value) : undefined;
      if (session !== undefined) return session;
    }
    return undefined;
  }

  async end({ key }: Pick<Session, 'key'>): Promise<void> {
    await this.#options.state.delete(key);
  }

  /** Ends the sessions of these values. */
  async endAll(values: readonly string[]): Promise<void> {
    await Promise.all(values.filter(isRandomValue).map((value) => this.#options.state.delete(keyOf(value))));
  }

  /** Resolves to false when a session has ended, also by another process. */
  async isOpen({ key, expiresAt }: Session): Promise<boolean> {
    const { state, now } = this.#options;
    return expiresAt > now() && (await state.get(key)) !== undefined;
  }

  async #read(value: string): Promise<Session | undefined> {
    const { state, way, now } = this.#options;
    const key = keyOf(value);
    const text = await state.get(key);
    if (text === undefined) return undefined;
    // Own text: written by `begin`.
    const record: unknown = JSON.parse(text);
    if (!isPlainObject(record)) return undefined;
    const { name, expiresAt } = record;
    if (typeof name !== 'string' || typeof expiresAt !== 'number' || record['way'] !== way || expiresAt <= now()) return undefined;
    return { name, expiresAt, key, csrf: derivedValue(value, 'csrf') };
  }
}

/** By its digest: the store compares keys, and its readers cannot sign in with them. */
function keyOf(value: string): string {
  return `session/${sha256(value)}`;
}
