import type { Masking } from '../log/bounded-text.ts';
import { isGuessable } from './guessable.ts';
import type { KernelMasking } from './kernel-masking.ts';
import { Redactor } from './redact.ts';
import { revealSecret, type Secret } from './secret.ts';

/** Holds the masking of one call. Undefined while the kernel's masking is enough. */
export interface OwnMasking {
  masking: CallMasking | undefined;
}

/** Returns the masking for everything except the result: log lines, records and requests to the client. It always masks all known secrets. */
export function fullMasking(own: OwnMasking, { redactor }: KernelMasking): Masking {
  return {
    mask: (value) => (own.masking === undefined ? redactor.value(value) : own.masking.maskFully(value)),
    reach: () => (own.masking === undefined ? redactor.longest : own.masking.longest),
  };
}

/**
 * The masking of one call: the kernel's secrets, the call's own secrets, and the guessable secrets that it uses. The result of a pure tool
 * depends only on the caller's parameters, so the kernel's secrets are not masked in it: a mask would tell the caller which guess is a secret.
 */
export class CallMasking {
  readonly #kernel: KernelMasking;
  /** The call's own and composed secrets. Created on first use, because pure tools are called often. */
  #own: Redactor | undefined;
  #guessable: Redactor | undefined;
  #isPure: boolean;

  /** `own`: the secrets that came with the call. */
  constructor(kernel: KernelMasking, { isPure, own }: { readonly isPure: boolean; readonly own: Redactor | undefined }) {
    this.#kernel = kernel;
    this.#own = own;
    this.#isPure = isPure;
    if (own !== undefined) this.share();
  }

  /** Masks the call's secrets also in the logs of plugins, until the call ends: their lines do not name the call. */
  share(): void {
    this.#own ??= new Redactor();
    this.#guessable ??= new Redactor();
    this.#kernel.include(this.#own, this.#guessable);
  }

  /** Marks the result as possibly containing values that the caller did not send. From then on all known secrets are masked in it. */
  taint(): void {
    this.#isPure = false;
  }

  /** Masks a value for the caller. */
  value<T>(value: T): T {
    return this.#isPure ? this.#alone(value) : this.maskFully(value);
  }

  /** Masks all known secrets, for the call's log and record. */
  maskFully<T>(value: T): T {
    return this.#kernel.redactor.value(this.#alone(value));
  }

  /** Maximum length of a text that `maskFully` recognises as a secret, in UTF-16 units. */
  get longest(): number {
    return Math.max(this.#own?.longest ?? 0, this.#guessable?.longest ?? 0, this.#kernel.redactor.longest);
  }

  /** Masks only the call's own secrets. */
  #alone<T>(value: T): T {
    const masked = this.#own === undefined ? value : this.#own.value(value);
    return this.#guessable === undefined ? masked : this.#guessable.value(masked);
  }

  /** Adds a credential that the call uses, if it is guessable. The kernel masks the others already. */
  use(secret: Secret): void {
    if (!isGuessable(revealSecret(secret))) return;
    this.taint();
    this.share();
    this.#guessable?.add(secret);
  }

  /** Adds a secret of this call, which is masked also in the logs of plugins. */
  maskAlso(name: string, value: string): void {
    this.share();
    (isGuessable(value) ? this.#guessable : this.#own)?.maskAlso(name, value);
  }

  /** Ends the masking in the logs of plugins. */
  end(): void {
    if (this.#own !== undefined) this.#kernel.exclude(this.#own);
  }
}
