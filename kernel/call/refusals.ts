import { messageOf } from '../errors.ts';
import type { Logger } from '../log/logger.ts';

/** A refusal of a host before anything was a call, such as of a request without a token. */
export interface Refusal {
  /** A word for the reason: `token`, `scope`, `host`, `origin`, `size`, `rate`, `unavailable`, `connections`. */
  readonly reason: string;
  /** The HTTP status that it was answered with; undefined where the connection was closed. */
  readonly status?: number;
  /** The IP address that it came from, which may be that of a proxy. */
  readonly address: string;
  /** The caller, where it had a valid token. */
  readonly caller?: string;
  /** The number of this reason and address since the report before. */
  readonly count: number;
}

export type RefusalListener = (refusal: Refusal) => void;

/** The plugins that keep records of refusals. */
export class Refusals {
  readonly #listeners: { readonly plugin: string; readonly listen: RefusalListener }[] = [];

  add(plugin: string, listen: RefusalListener): void {
    this.#listeners.push({ plugin, listen });
  }

  /** Notifies each listener. Never throws: what a listener throws is logged. */
  report(refusal: Refusal, logger: Logger): void {
    for (const { plugin, listen } of this.#listeners) {
      try {
        listen(refusal);
      } catch (error) {
        logger.error(`Plugin "${plugin}" failed to record a refusal: ${messageOf(error)}`, { plugin });
      }
    }
  }
}
