import { excerpt, messageOf } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import { HookRun } from '../run.ts';
import type { Maybe } from './run-taps.ts';

/** What a plugin still has to do for calls that have ended, before anybody gets their answers. */
export type AnswerWork = () => Maybe<void>;

/** The work of all plugins for the calls that ended together. */
export class BeforeAnswers {
  readonly #works: { readonly plugin: string; readonly work: AnswerWork }[] = [];

  add(plugin: string, work: AnswerWork): void {
    this.#works.push({ plugin, work });
  }

  /** Waits only where a plugin does, and no longer than that. Never throws: what fails is logged. */
  run(logger: Logger, mask: <T>(value: T) => T, timeoutMs: number): Maybe<void> {
    const waiting: Promise<void>[] = [];
    for (const { plugin, work } of this.#works) {
      const say = (error: unknown): void =>
        logger.error(`Plugin "${plugin}" failed in what it does before answers: ${excerpt(mask(messageOf(error)))}`);
      try {
        const given = new HookRun(logger, mask).stage('settled', timeoutMs, work);
        if (given instanceof Promise) waiting.push(given.catch(say));
      } catch (error) {
        say(error);
      }
    }
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => {});
  }
}
