import { inspect } from 'node:util';

const values = new WeakMap<Secret, string>();

/**
 * An opaque handle on a secret value. Printing it, turning it into JSON, or inspecting it gives `[secret NAME]`; only
 * `revealSecret` gives the value, and executors are the ones to call it, at the moment of use.
 */
export class Secret {
  readonly name: string;

  constructor(name: string, value: string) {
    this.name = name;
    values.set(this, value);
    Object.freeze(this);
  }

  toString(): string {
    return `[secret ${this.name}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

export function revealSecret(secret: Secret): string {
  return values.get(secret) ?? '';
}

interface Entry {
  readonly secret: Secret;
  /** Epoch ms; `Infinity` when the resolver gave no time to live. */
  readonly expiresAt: number;
}

/** The resolved secrets of one kernel, by name, in memory only. */
export class SecretStore {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  set(name: string, value: string, ttlMs = Number.POSITIVE_INFINITY): Secret {
    const known = this.#entries.get(name)?.secret;
    const secret = known !== undefined && revealSecret(known) === value ? known : new Secret(name, value);
    this.#entries.set(name, { secret, expiresAt: this.#now() + ttlMs });
    return secret;
  }

  /** The handle, or undefined when the name is unknown or past its time to live. */
  get(name: string): Secret | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined || entry.expiresAt <= this.#now() ? undefined : entry.secret;
  }

  names(): string[] {
    return [...this.#entries.keys()];
  }
}
