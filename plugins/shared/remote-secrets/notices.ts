import type { Logger } from '../../../kernel/index.ts';
import type { Reading } from './value-cache.ts';

/** What was said already, so that a call that comes every second does not say it every second. */
export class Notices {
  readonly #names = new Set<string>();
  #isStale = false;
  #skipped: string | undefined;

  /** One notice a name. */
  once(name: string, say: () => void): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    say();
  }

  /** The same failure once, until a read succeeds. */
  skipped(message: string, say: () => void): void {
    if (this.#skipped !== message) say();
    this.#skipped = message;
  }

  /** The beginning and the end of an outage. */
  state(logger: Logger, { stale }: Reading): void {
    this.#skipped = undefined;
    if (stale !== undefined && !this.#isStale) {
      logger.warn(`${stale.failure.message} Meanwhile serving values of ${ageOf(stale.ageMs)} ago.`, { ageMs: stale.ageMs });
    }
    if (stale === undefined && this.#isStale) logger.info('Vault answers again: serving its values.');
    this.#isStale = stale !== undefined;
  }
}

function ageOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [count, unit] =
    seconds < 120 ? [seconds, 'second'] : seconds < 7200 ? [Math.round(seconds / 60), 'minute'] : [Math.round(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
