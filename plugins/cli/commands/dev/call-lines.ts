import type { CallEnd, Kernel } from '../../../../kernel/index.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import type { Journal } from './journal.ts';

/** Parameters are cut to this number of characters. */
const maxText = 2000;

/** Prints one line for each call that has ended: tool, outcome, duration, caller and parameters. */
export class CallLines {
  readonly #journal: Journal;
  readonly #kernel: Kernel;

  constructor(journal: Journal, kernel: Kernel) {
    this.#journal = journal;
    this.#kernel = kernel;
  }

  tell({ toolName, outcome, durationMs, caller, parameters }: CallEnd): void {
    const error = outcome.type === 'failed' ? outcome.error : outcome.result.error;
    const given = this.#shown(JSON.stringify(this.#kernel.mask(parameters)));
    this.#journal.cut([
      ['name', this.#shown(toolName)],
      error === undefined ? ['good', 'ok'] : ['bad', error.code],
      `${Math.round(durationMs)} ms`,
      this.#shown(caller),
      ...(error === undefined ? [] : [this.#shown(error.message)]),
      ['quiet', given],
    ]);
  }

  #shown(text: string): string {
    return visibleText(this.#kernel.mask(text).slice(0, maxText));
  }
}
