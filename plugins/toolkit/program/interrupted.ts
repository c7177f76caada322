const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts at the first signal, from this moment on; a second one ends the process at once. `takeHangup`: true for a SIGHUP that does neither. */
export function interrupted(takeHangup: () => boolean): AbortSignal {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(130);
    if (signal === 'SIGHUP' && takeHangup()) return;
    controller.abort(signal);
  };
  for (const name of signals) process.on(name, onSignal);
  return controller.signal;
}
