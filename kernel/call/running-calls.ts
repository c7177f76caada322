import { setTimeout } from 'node:timers/promises';
import type { ToolkitError } from '../errors.ts';
import type { HookRun } from '../run.ts';
import { InFlight } from './in-flight.ts';

/** The calls of a kernel that wait for something, until they end. */
export class RunningCalls {
  readonly #running = new InFlight<HookRun, HookRun>();
  /** Called when the last one has ended. */
  #onIdle: () => void = () => {};

  add(run: HookRun): void {
    this.#running.set(run, run);
  }

  delete(run: HookRun): void {
    this.#running.delete(run);
    if (this.#running.size === 0) this.#onIdle();
  }

  /** Resolves when none runs, at the latest after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    if (limitMs === 0 || this.#running.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    await Promise.race([idle, setTimeout(limitMs, undefined, { ref: false })]);
  }

  abort(reason: ToolkitError): void {
    for (const run of this.#running.values()) run.abort(reason);
  }
}
