import type { Logger, ToolkitError } from '../../../kernel/index.ts';
import type { Reading } from './value-cache.ts';

/** What was said already, so that a call that comes every second does not say it every second. */
export class Notices {
  readonly #label: string;
  readonly #problems = new Set<string>();
  /** The notice that the present failure got; undefined while the store can be read. */
  #failing: string | undefined;

  constructor(label: string) {
    this.#label = label;
  }

  /** The same words about a name once. They go on where the label ends. */
  problem(logger: Logger, name: string, words: string): void {
    const message = `${this.#label} ${words}`;
    if (this.#problems.has(message)) return;
    this.#problems.add(message);
    logger.warn(message, { name });
  }

  /** The same failure once, until a read succeeds. */
  skipped(logger: Logger, { code, message, retryable }: ToolkitError): void {
    if (this.#failing !== message) logger.warn(`${message} The next resolver is asked.`, { code, retryable });
    this.#failing = message;
  }

  /** The beginning of an outage in which older values serve, and the end of any failure. */
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
