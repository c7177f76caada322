import { excerpt, messageOf, ToolkitError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import { HookRun } from '../run.ts';
import type { MaybePromise } from './run-taps.ts';

/** What a plugin has to do beside the hooks, at a moment that it has named. */
export type PluginWork = () => MaybePromise<void>;

/** The work of all plugins at one moment. */
export class PluginWorks {
  readonly #moment: string;
  readonly #works: { readonly plugin: string; readonly work: PluginWork }[] = [];

  /** `moment`: as errors say it, such as `before answers`. */
  constructor(moment: string) {
    this.#moment = moment;
  }

  add(plugin: string, work: PluginWork): void {
    this.#works.push({ plugin, work });
  }

  /** One after the other. Throws ToolkitError for the first that fails. */
  async runOrThrow(): Promise<void> {
    for (const { plugin, work } of this.#works) {
      try {
        await work();
      } catch (error) {
        if (ToolkitError.is(error)) throw error.with({ plugin });
        const message = `Plugin "${plugin}" failed in what it does ${this.#moment}: ${messageOf(error)}`;
        throw new ToolkitError('PLUGIN_FAILED', message, { plugin }, { cause: error });
      }
    }
  }

  /** Waits only where a plugin does, and no longer than that. Never throws: what fails is logged. */
  run(logger: Logger, mask: <T>(value: T) => T, timeoutMs: number): MaybePromise<void> {
    const waiting: Promise<void>[] = [];
    for (const { plugin, work } of this.#works) {
      const say = (error: unknown): void =>
        logger.error(`Plugin "${plugin}" failed in what it does ${this.#moment}: ${excerpt(mask(messageOf(error)))}`);
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
