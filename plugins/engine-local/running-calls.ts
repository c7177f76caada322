import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { queueKeys } from './queue-keys.ts';

/** Writes down which calls this process runs, for others to find should it die. */
export class RunningCalls {
  readonly #parts: Pick<DispatchParts, 'state' | 'process' | 'run'>;
  #announced: Promise<void> = Promise.resolve();
  #announcing: Promise<void> | undefined;

  constructor(parts: Pick<DispatchParts, 'state' | 'process' | 'run'>) {
    this.#parts = parts;
  }

  /** Resolves when others know of the calls that run here now. Who comes while that is written is in what is written next. */
  announce(): Promise<void> {
    this.#announcing ??= this.#announced.then(() => {
      this.#announcing = undefined;
      const { state, process, run } = this.#parts;
      const written = state.set(queueKeys.running(process.id), JSON.stringify(run.places));
      this.#announced = written.catch(() => {});
      return written;
    });
    return this.#announcing;
  }
}
