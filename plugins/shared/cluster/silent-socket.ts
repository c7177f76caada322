import { connect } from 'node:net';

/** Time in which a process accepts a connection and ends it, in milliseconds. */
const timeoutMs = 1000;

/** Resolves to true when a process has the Unix socket or named pipe, and does not end the connection in time: it stands still. */
export function isSilent(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Read, so that its end is noticed.
    const socket = connect(address).resume();
    let hasTimedOut = false;
    socket.on('error', () => {});
    socket.once('close', () => resolve(hasTimedOut));
    socket.setTimeout(timeoutMs, () => {
      hasTimedOut = true;
      socket.destroy();
    });
  });
}
