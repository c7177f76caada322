import { excerpt, messageOf, ToolkitError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import type { MaybePromise } from '../time/maybe-promise.ts';
import { HookRun } from './hook-run.ts';

/** A plugin's work at a moment outside the hooks. */
export type PluginWork = () => MaybePromise<void>;

/** The work of all plugins at one moment. */
export class PluginWorks {
  readonly #moment: string;
  readonly #works: { readonly plugin: string; readonly work: PluginWork }[] = [];

  /** `moment`: the moment's name in errors, such as `before answers`. */
  constructor(moment: string) {
    this.#moment = moment;
  }

  add(plugin: string, work: PluginWork): void {
    this.#works.push({ plugin, work });
  }

  /** Runs all work in order. Throws ToolkitError for the first failure. */
  async runOrThrow(): Promise<void> {
    for (const { plugin, work } of this.#works) {
      try {
        await work();
      } catch (error) {
        if (ToolkitError.is(error)) throw error.with({ plugin });
        const message = `Plugin "${plugin}" failed ${this.#moment}: ${messageOf(error)}`;
        throw new ToolkitError('PLUGIN_FAILED', message, { plugin }, { cause: error });
      }
    }
  }

  /** Runs all work. Waits only for promises, at most `timeoutMs`. Never throws: failures are logged. */
  run(logger: Logger, mask: <T>(value: T) => T, timeoutMs: number): MaybePromise<void> {
    const waiting: Promise<void>[] = [];
    for (const { plugin, work } of this.#works) {
      const say = (error: unknown): void => logger.error(`Plugin "${plugin}" failed ${this.#moment}: ${excerpt(mask(messageOf(error)))}`);
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
