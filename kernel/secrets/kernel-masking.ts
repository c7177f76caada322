import type { Masking } from '../log/bounded-text.ts';
import { Redactor } from './redact.ts';

/**
 * Masks what the whole kernel knows, and what each call that runs knows alone: for the loggers of plugins, which write about a call without
 * saying so. Costs one more passage for each running call that has secrets of its own, and nothing for the others.
 */
export class KernelMasking implements Masking {
  /** What the whole kernel knows. */
  readonly redactor = new Redactor();
  readonly #running = new Set<Redactor>();

  readonly mask = <T>(value: T): T => {
    let masked = value;
    for (const own of this.#running) masked = own.value(masked);
    return this.redactor.value(masked);
  };

  readonly reach = (): number => {
    let { longest } = this.redactor;
    for (const own of this.#running) longest = Math.max(longest, own.longest);
    return longest;
  };

  /** From now on, until `exclude`. */
  include(own: Redactor): void {
    this.#running.add(own);
  }

  exclude(own: Redactor): void {
    this.#running.delete(own);
  }
}
