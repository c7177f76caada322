import type { Masking } from '../log/bounded-text.ts';
import type { Logger } from '../log/logger.ts';
import { isGuessable } from './guessable.ts';
import { Redactor } from './redact.ts';

/**
 * Masks what the whole kernel knows, and what each call that runs knows alone: for the loggers of plugins, which write about a call without
 * saying so. Costs one more passage for each running call that has secrets of its own, and nothing for the others. What can be guessed is masked in
 * logs alone, and while a call runs that uses it: what is masked elsewhere reaches other callers.
 */
export class KernelMasking implements Masking {
  /** What the whole kernel knows. */
  readonly redactor = new Redactor();
  /** By what a call knows alone, the guessable secrets that it uses. */
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

  /** For logs, which no caller reads. */
  readonly ofLogs: Masking = {
    mask: (value) => {
      let masked = value;
      for (const guessable of this.#running.values()) masked = guessable.value(masked);
      return this.mask(masked);
    },
    reach: this.reach,
  };

  /** A value of a plugin, such as a token of the server. The log names one that can be guessed, which is masked nowhere. */
  maskAlso(name: string, value: string, logger: Logger): void {
    if (!isGuessable(value)) this.redactor.maskAlso(name, value);
    else if (value !== '')
      logger.warn(
        `the value of ${name} has fewer than eight characters, or digits alone: it can be guessed, and is masked nowhere. Give it another.`,
      );
  }

  /** From now on, until `exclude`. */
  include(own: Redactor, guessable: Redactor): void {
    this.#running.set(own, guessable);
  }

  exclude(own: Redactor): void {
    this.#running.delete(own);
  }
}
