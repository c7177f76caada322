const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts at the first signal, from this moment on; a second one ends the process at once. */
export function interrupted(): AbortSignal {
  const controller = new AbortController();
  const onFirst = (signal: NodeJS.Signals): void => {
    for (const name of signals) {
      process.off(name, onFirst);
      process.once(name, () => process.exit(130));
    }
    controller.abort(signal);
  };
  for (const name of signals) process.once(name, onFirst);
  return controller.signal;
}
