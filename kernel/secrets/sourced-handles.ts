import type { CredentialOwner, SourcedCredential } from './credential-source.ts';
import { revealSecret, Secret } from './secret.ts';

/** Maximum number of cached handles. An evicted one costs its caller a cached result, nothing else. */
const maxHandles = 10_000;

interface Issued {
  /** Time from which the value has expired, in epoch ms; `Infinity` for never. */
  readonly deadAt: number;
  readonly account: SourcedCredential['account'];
}

/** The owner of a value: one caller at one plugin. */
export interface HandleOwner extends CredentialOwner {
  readonly plugin: string;
}

/** Handles on the values of sources. The same value of the same caller keeps its handle, because results are cached by handle. */
export class SourcedHandles {
  readonly #handles = new Map<string, Secret>();
  readonly #issued = new WeakMap<Secret, Issued>();
  readonly #now: () => number;

  /** `now` returns the time in epoch ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the handle on a value that a source has just given. */
  of(owner: HandleOwner, name: string, { value, deadAfterMs = Number.POSITIVE_INFINITY, account }: SourcedCredential): Secret {
    const key = keyOf(owner, name);
    const known = this.#handles.get(key);
    const handle = known !== undefined && revealSecret(known) === value ? known : new Secret(name, value);
    this.#issued.set(handle, { deadAt: this.#now() + deadAfterMs, account });
    // Deleted first, so that the order is that of the last use.
    this.#handles.delete(key);
    this.#handles.set(key, handle);
    for (const oldest of this.#handles.keys()) {
      if (this.#handles.size <= maxHandles) break;
      this.#handles.delete(oldest);
    }
    return handle;
  }

  /** Returns the handles on the values that a plugin's source has given to a caller and not taken back. */
  ofOwner(owner: HandleOwner): readonly Secret[] {
    if (this.#handles.size === 0) return [];
    const prefix = ownerKeyOf(owner);
    return [...this.#handles].flatMap(([key, handle]) => (key.startsWith(prefix) ? [handle] : []));
  }

  /** Forgets the value of a caller that a source no longer has. */
  forget(owner: HandleOwner, name: string): void {
    this.#handles.delete(keyOf(owner, name));
  }

  /** True for a handle on a value of a source. */
  has(handle: Secret): boolean {
    return this.#issued.has(handle);
  }

  /** True for a handle on a value of a source that has expired. */
  isDead(handle: Secret): boolean {
    return (this.#issued.get(handle)?.deadAt ?? Number.POSITIVE_INFINITY) <= this.#now();
  }

  /** Returns the account that a value opens, as its source named it. */
  accountOf(handle: Secret): SourcedCredential['account'] {
    return this.#issued.get(handle)?.account;
  }
}

function keyOf(owner: HandleOwner, name: string): string {
  return ownerKeyOf(owner) + name;
}

function ownerKeyOf({ plugin, tenant, caller }: HandleOwner): string {
  return JSON.stringify([plugin, tenant, caller]);
}
