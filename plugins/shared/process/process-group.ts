import { signalMarked } from './marked-processes.ts';
import { signalGroup } from './signal-group.ts';
import { killWithThisProcess } from './watchdog.ts';

/** A child process with everything it started. Killed with this process, however that ends. */
export class ProcessGroup {
  readonly #pid: number | undefined;
  readonly #killAfterMs: number;
  readonly #mark: string | undefined;
  readonly #onExit = (): void => this.kill();
  readonly #unwatch: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `mark`: the child's value of `markVariable`, by which processes that leave the group are found. */
  constructor(pid: number | undefined, killAfterMs: number, mark?: string) {
    this.#pid = pid;
    this.#mark = mark;
    this.#killAfterMs = killAfterMs;
    allowListeners(1);
    process.on('exit', this.#onExit);
    this.#unwatch = killWithThisProcess(pid);
  }

  end(): void {
    this.#send('SIGTERM');
    this.#timer = setTimeout(() => this.kill(), this.#killAfterMs).unref();
  }

  kill(): void {
    this.#send('SIGKILL');
  }

  forget(): void {
    clearTimeout(this.#timer);
    process.off('exit', this.#onExit);
    allowListeners(-1);
    this.#unwatch();
  }

  #send(signal: NodeJS.Signals): void {
    if (this.#pid === undefined) return;
    signalGroup(this.#pid, signal);
    if (this.#mark !== undefined) signalMarked(this.#mark, signal);
  }
}

/** Raises the listener limit: many programs at once are no leak, and Node must not warn of their exit listeners. 0 means unlimited. */
function allowListeners(more: number): void {
  const limit = process.getMaxListeners();
  if (limit > 0) process.setMaxListeners(limit + more);
}
