import { messageOf } from '../errors.ts';
import type { Logger } from '../log/logger.ts';

/** The plugins that listen to one kind of event outside the hooks. */
export class Listeners<Event> {
  readonly #what: string;
  readonly #listeners: { readonly plugin: string; readonly listen: (event: Event) => void }[] = [];

  /** `what`: the event's name in errors, such as `a refusal`. */
  constructor(what: string) {
    this.#what = what;
  }

  add(plugin: string, listen: (event: Event) => void): void {
    this.#listeners.push({ plugin, listen });
  }

  /** Notifies each listener. Never throws: what a listener throws is logged. */
  report(event: Event, logger: Logger): void {
    for (const { plugin, listen } of this.#listeners) {
      try {
        listen(event);
      } catch (error) {
        logger.error(`Plugin "${plugin}" failed to record ${this.#what}: ${messageOf(error)}`, { plugin });
      }
    }
  }
}
