/** The child and everything it started. Killed with this process, however that ends. */
export class ProcessGroup {
  readonly #pid: number | undefined;
  readonly #killAfterMs: number;
  readonly #onExit = (): void => this.kill();
  #timer: NodeJS.Timeout | undefined;

  constructor(pid: number | undefined, killAfterMs: number) {
    this.#pid = pid;
    this.#killAfterMs = killAfterMs;
    allowListeners(1);
    process.on('exit', this.#onExit);
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
  }

  #send(signal: NodeJS.Signals): void {
    if (this.#pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? this.#pid : -this.#pid, signal);
    } catch {
      // ESRCH: the group has ended already.
    }
  }
}

/** Many programs at once are no leak, so Node need not warn of their exit listeners. 0 means unlimited. */
function allowListeners(more: number): void {
  const limit = process.getMaxListeners();
  if (limit > 0) process.setMaxListeners(limit + more);
}
