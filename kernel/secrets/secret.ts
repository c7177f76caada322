import { inspect } from 'node:util';
import { ToolkitError } from '../errors.ts';

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

/** The value of a handle. Throws PLUGIN_FAILED for one that another copy of this module has made, which knows its value. */
export function revealSecret(secret: Secret): string {
  const value = values.get(secret);
  if (value !== undefined) return value;
  throw new ToolkitError(
    'PLUGIN_FAILED',
    `The value of ${String(secret)} is not known here: expected a handle that this copy of the kernel has made. Import everything from one installation of @toolkit/core.`,
  );
}

interface Entry {
  readonly secret: Secret;
  /** Epoch ms; `Infinity` when the resolver gave no time to live. */
  readonly expiresAt: number;
  /** The plugin that gave the value. */
  readonly resolver: string;
}

/** The resolved secrets of one kernel, by name, in memory only. */
export class SecretStore {
  readonly #entries = new Map<string, Entry>();
  readonly #issued = new WeakSet<Secret>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  set(name: string, value: string, { resolver, ttlMs = Number.POSITIVE_INFINITY }: { resolver: string; ttlMs?: number }): Secret {
    const known = this.#entries.get(name)?.secret;
    const secret = known !== undefined && revealSecret(known) === value ? known : new Secret(name, value);
    this.#issued.add(secret);
    this.#entries.set(name, { secret, resolver, expiresAt: this.#now() + ttlMs });
    return secret;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The handle, also past its time to live. */
  get(name: string): Secret | undefined {
    return this.#entries.get(name)?.secret;
  }

  issued(handle: Secret): boolean {
    return this.#issued.has(handle);
  }

  resolverOf(name: string): string | undefined {
    return this.#entries.get(name)?.resolver;
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }

  /** Names whose values are past their time to live. */
  expired(): string[] {
    const now = this.#now();
    return [...this.#entries].filter(([, { expiresAt }]) => expiresAt <= now).map(([name]) => name);
  }
}
