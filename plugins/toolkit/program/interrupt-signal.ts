const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Returns a signal that aborts at the first SIGINT, SIGTERM or SIGHUP from now on; a second one ends the process at once. `handleHangup` returns true for a
 * SIGHUP that it handles.
 */
export function createInterruptSignal(handleHangup: () => boolean): AbortSignal {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(130);
    if (signal === 'SIGHUP' && handleHangup()) return;
    controller.abort(signal);
  };
  for (const name of signals) process.on(name, onSignal);
  return controller.signal;
}
