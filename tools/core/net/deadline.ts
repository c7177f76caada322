export interface Deadline {
  /** Aborts with the error of the deadline, or when the call aborts. */
  readonly signal: AbortSignal;
  /** Stops the timer. */
  end(): void;
}

/** Starts a timer. `late`: returns the error with which the signal aborts after `timeoutMs`. */
export function startDeadline(callSignal: AbortSignal, timeoutMs: number, late: () => Error): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late()), timeoutMs);
  return { signal: AbortSignal.any([callSignal, controller.signal]), end: () => clearTimeout(timer) };
}

/** Settles as the work does, or rejects with the reason of the signal when that aborts first: for work that cannot be stopped. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
