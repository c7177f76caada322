/** A held answer: the server has acted, and waits. */
export interface Gate {
  /** Resolves when a token request is at the gate. */
  readonly reached: Promise<void>;
  /** Number of requests that came to the gate. */
  readonly waiting: number;
  /** Lets all answers go, those of later requests as well. */
  open(): void;
}

/** Returns a promise, and what resolves it. */
export function signal(): [Promise<void>, () => void] {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return [promise, resolve];
}
