import type { Logger, ToolkitError } from '../../../kernel/index.ts';
import type { Reading } from './value-cache.ts';

/** Logs each problem of a remote store once, so that frequent calls do not repeat it. */
export class Notices {
  readonly #label: string;
  readonly #problems = new Set<string>();
  /** Message of the current failure, or `stale`; undefined while the store can be read. */
  #failing: string | undefined;

  constructor(label: string) {
    this.#label = label;
  }

  /** Logs a problem of a name once. `words` continue the sentence that the label begins. */
  problem(logger: Logger, name: string, words: string): void {
    const message = `${this.#label} ${words}`;
    if (this.#problems.has(message)) return;
    this.#problems.add(message);
    logger.warn(message, { name });
  }

  /** Logs a skipped failure once, until a read succeeds. */
  skipped(logger: Logger, { code, message, retryable }: ToolkitError): void {
    if (this.#failing !== message) logger.warn(`${message} The next resolver is asked.`, { code, retryable });
    this.#failing = message;
  }

  /** Logs the beginning of an outage during which stale values serve, and the end of any failure. */
  reading(logger: Logger, { stale }: Reading): void {
    if (stale === undefined) {
      if (this.#failing !== undefined) logger.info(`${this.#label} can be read again.`);
      this.#failing = undefined;
      return;
    }
    const { ageMs, failure } = stale;
    if (this.#failing !== 'stale') logger.warn(`${failure.message} Meanwhile serving values of ${ageOf(ageMs)} ago.`, { ageMs });
    this.#failing = 'stale';
  }
}

function ageOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [count, unit] =
    seconds < 120 ? [seconds, 'second'] : seconds < 7200 ? [Math.round(seconds / 60), 'minute'] : [Math.round(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
