import type { Masking } from '../log/bounded-text.ts';
import type { Logger } from '../log/logger.ts';
import { isGuessable } from './guessable.ts';
import { Redactor } from './redact.ts';

/**
 * Masks the kernel's secrets and the own secrets of all running calls, for the loggers of plugins: their lines do not name the call. Costs one
 * more pass for each running call with own secrets. Guessable secrets are masked only in logs, and only while a call that uses them runs.
 */
export class KernelMasking implements Masking {
  /** Masks the secrets of the whole kernel. */
  readonly redactor = new Redactor();
  /** The running calls: their own secrets, with the guessable secrets that they use. */
  readonly #running = new Map<Redactor, Redactor>();

  readonly mask = <T>(value: T): T => {
    let masked = value;
    for (const own of this.#running.keys()) masked = own.value(masked);
    return this.redactor.value(masked);
  };

  readonly reach = (): number => {
    let { longest } = this.redactor;
    for (const [own, guessable] of this.#running) longest = Math.max(longest, own.longest, guessable.longest);
    return longest;
  };

  /** The masking of logs, including guessable secrets: no caller reads them. */
  readonly ofLogs: Masking = {
    mask: (value) => {
      let masked = value;
      for (const guessable of this.#running.values()) masked = guessable.value(masked);
      return this.mask(masked);
    },
    reach: this.reach,
  };

  /** Adds a secret of a plugin, such as a token of the server. A guessable one is never masked; the log warns about it. */
  maskAlso(name: string, value: string, logger: Logger): void {
    if (!isGuessable(value)) this.redactor.maskAlso(name, value);
    else if (value !== '')
      logger.warn(
        `the value of ${name} has fewer than eight characters, or digits alone: it can be guessed, and is masked nowhere. Give it another.`,
      );
  }

  /** Masks the secrets of a call until `exclude`. */
  include(own: Redactor, guessable: Redactor): void {
    this.#running.set(own, guessable);
  }

  exclude(own: Redactor): void {
    this.#running.delete(own);
  }
}
