import { inspect } from 'node:util';
import { ToolkitError } from '../errors.ts';
import { lifeOf, type SecretLife } from './secret-life.ts';

const values = new WeakMap<Secret, string>();

/**
 * An opaque handle on a secret value. Printing, inspecting or serializing it gives `[secret NAME]`. Only `revealSecret` returns the value;
 * executors call it directly before use.
 */
export class Secret {
  readonly name: string;
  /** Time at which a resolver first provided this value, in epoch ms. Undefined for a value that came with a call, or from an account. */
  readonly since: number | undefined;

  constructor(name: string, value: string, since?: number) {
    this.name = name;
    this.since = since;
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

/** Returns the value of a handle. Throws PLUGIN_FAILED for a handle of another copy of this module. */
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
  /** Time from which the value is stale, in epoch ms; `Infinity` for never. */
  readonly staleAt: number;
  /** The plugin that provided the value. */
  readonly resolver: string;
}

/** The resolved secrets of one kernel by name, only in memory. */
export class SecretStore {
  readonly #entries = new Map<string, Entry>();
  /** Time of expiry of each issued handle, in epoch ms. */
  readonly #deadAt = new WeakMap<Secret, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  set(
    name: string,
    value: string,
    { resolver, life }: { readonly resolver: string; readonly life?: number | SecretLife | undefined },
  ): Secret {
    const known = this.#entries.get(name)?.secret;
    const secret = known !== undefined && revealSecret(known) === value ? known : new Secret(name, value, this.#now());
    const { staleAfterMs, deadAfterMs } = lifeOf(life);
    this.#deadAt.set(secret, this.#now() + deadAfterMs);
    this.#entries.set(name, { secret, resolver, staleAt: this.#now() + staleAfterMs });
    return secret;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Returns the handle, also of a stale value; undefined for an expired one. */
  get(name: string): Secret | undefined {
    const secret = this.#entries.get(name)?.secret;
    return secret === undefined || this.isDead(secret) ? undefined : secret;
  }

  issued(handle: Secret): boolean {
    return this.#deadAt.has(handle);
  }

  /** True for a handle of this store whose value has expired. */
  isDead(handle: Secret): boolean {
    return (this.#deadAt.get(handle) ?? Number.POSITIVE_INFINITY) <= this.#now();
  }

  resolverOf(name: string): string | undefined {
    return this.#entries.get(name)?.resolver;
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }

  /** Returns the names with stale or expired values. */
  expired(): string[] {
    const now = this.#now();
    return [...this.#entries].filter(([, { staleAt }]) => staleAt <= now).map(([name]) => name);
  }
}
