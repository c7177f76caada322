/**
 * Makes this thread write Node's warnings to its `process.stderr`, so that the process receives them like other output. By default a
 * thread writes them directly to the descriptor, between the lines of a log.
 */
export function writeWarningsByStream(): void {
  for (const own of process.listeners('warning')) {
    if (own.name !== 'onWarning') continue;
    process.off('warning', own);
    process.on('warning', ({ name, message }) => void process.stderr.write(`(node:${process.pid}) ${name}: ${message}\n`));
  }
}
