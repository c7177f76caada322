import type { CallEnd, Kernel } from '../../../../kernel/index.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import type { Journal } from './journal.ts';

/** Parameters are cut to this number of characters. */
const maxText = 2000;

/** Prints one line for each call that has ended: tool, outcome, duration, caller and parameters. */
export class CallPrinter {
  readonly #journal: Journal;
  readonly #kernel: Kernel;

  constructor(journal: Journal, kernel: Kernel) {
    this.#journal = journal;
    this.#kernel = kernel;
  }

  print({ toolName, outcome, durationMs, caller, parameters }: CallEnd): void {
    const error = outcome.type === 'failed' ? outcome.error : outcome.result.error;
    const given = this.#displayText(JSON.stringify(this.#kernel.mask(parameters)));
    this.#journal.printPieces([
      ['name', this.#displayText(toolName)],
      error === undefined ? ['good', 'ok'] : ['bad', error.code],
      `${Math.round(durationMs)} ms`,
      this.#displayText(caller),
      ...(error === undefined ? [] : [this.#displayText(error.message)]),
      ['quiet', given],
    ]);
  }

  #displayText(text: string): string {
    return visibleText(this.#kernel.mask(text).slice(0, maxText));
  }
}
