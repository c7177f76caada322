import { connect } from 'node:net';

/** Codes with which the operating system says that no process listens. Any other failure leaves it open: a full queue belongs to a living process. */
const refusals: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT']);

/** Maximum wait for the operating system, in milliseconds. */
const timeoutMs = 1000;

/** Resolves to true when nothing listens on the Unix socket or named pipe. False in doubt. */
export function isRefused(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const finish = (isDead: boolean): void => {
      socket.destroy();
      resolve(isDead);
    };
    socket.once('connect', () => finish(false));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => finish(refusals.has(code)));
    socket.setTimeout(timeoutMs, () => finish(false));
  });
}
