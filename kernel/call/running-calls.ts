import { setTimeout } from 'node:timers/promises';
import type { ToolkitError } from '../errors.ts';
import type { HookRun } from '../taps/hook-run.ts';
import { InFlight } from './in-flight.ts';

/** The calls of a kernel that wait for something, until they end. */
export class RunningCalls extends InFlight<HookRun, HookRun> {
  /** Resolves when none runs, at the latest after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    if (limitMs === 0 || this.size === 0) return;
    await Promise.race([this.empty(), setTimeout(limitMs, undefined, { ref: false })]);
  }

  abort(reason: ToolkitError): void {
    for (const run of this.values()) run.abort(reason);
  }
}
