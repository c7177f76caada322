import type { Masking } from '../log/bounded-text.ts';
import { isGuessable } from './guessable.ts';
import type { KernelMasking } from './kernel-masking.ts';
import { Redactor } from './redact.ts';
import { revealSecret, type Secret } from './secret.ts';

/** The masking of one call; undefined where that is what its kernel knows. */
export interface OwnMasking {
  masking: CallMasking | undefined;
}

/** Masks what is kept of a call, such as its log and its record, whatever becomes known in it. */
export function fullMasking(own: OwnMasking, { redactor }: KernelMasking): Masking {
  return {
    mask: (value) => (own.masking === undefined ? redactor.value(value) : own.masking.maskFully(value)),
    reach: () => (own.masking === undefined ? redactor.longest : own.masking.longest),
  };
}

/**
 * What one call masks: what its kernel knows, what it brought along or composed, and the guessable secrets that it uses. Made for calls where that is more than
 * what the kernel knows, or less: the answer of a pure tool is made of what its caller sent, and were a secret masked in it, the caller would learn which of
 * its guesses is one.
 */
export class CallMasking {
  readonly #kernel: KernelMasking;
  /** What the call brought along or composed; made when there is something, because pure tools are called often. */
  #own: Redactor | undefined;
  #guessable: Redactor | undefined;
  #isPure: boolean;

  /** `own`: what the call brought along. */
  constructor(kernel: KernelMasking, { isPure, own }: { readonly isPure: boolean; readonly own: Redactor | undefined }) {
    this.#kernel = kernel;
    this.#own = own;
    this.#isPure = isPure;
    if (own !== undefined) this.share();
  }

  /** Also in the logs of plugins, which write about a call without saying so, until the call ends. */
  share(): void {
    this.#own ??= new Redactor();
    this.#guessable ??= new Redactor();
    this.#kernel.include(this.#own, this.#guessable);
  }

  /** From now on the answer may hold something that the caller did not send. */
  taint(): void {
    this.#isPure = false;
  }

  /** Masks what the caller gets. */
  value<T>(value: T): T {
    return this.#isPure ? this.#alone(value) : this.maskFully(value);
  }

  /** Masks what is kept of the call, such as its log and its record. */
  maskFully<T>(value: T): T {
    return this.#kernel.redactor.value(this.#alone(value));
  }

  /** The length of the longest text that `kept` knows as a secret. */
  get longest(): number {
    return Math.max(this.#own?.longest ?? 0, this.#guessable?.longest ?? 0, this.#kernel.redactor.longest);
  }

  /** Masks what the call alone knows. */
  #alone<T>(value: T): T {
    const masked = this.#own === undefined ? value : this.#own.value(value);
    return this.#guessable === undefined ? masked : this.#guessable.value(masked);
  }

  /** A credential that the call uses. The kernel knows those that nobody can guess. */
  use(secret: Secret): void {
    if (!isGuessable(revealSecret(secret))) return;
    this.taint();
    this.share();
    this.#guessable?.add(secret);
  }

  /** A value that the call alone knows, from now on also in the logs of plugins. */
  maskAlso(name: string, value: string): void {
    this.share();
    (isGuessable(value) ? this.#guessable : this.#own)?.maskAlso(name, value);
  }

  /** The call is over. */
  end(): void {
    if (this.#own !== undefined) this.#kernel.exclude(this.#own);
  }
}
