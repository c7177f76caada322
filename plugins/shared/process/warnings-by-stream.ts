/**
 * Has this thread write warnings of Node to its `process.stderr`, which the process takes like everything that is printed: by itself a thread writes them
 * to the descriptor, between the lines of a log.
 */
export function writeWarningsByStream(): void {
  for (const own of process.listeners('warning')) {
    if (own.name !== 'onWarning') continue;
    process.off('warning', own);
    process.on('warning', ({ name, message }) => void process.stderr.write(`(node:${process.pid}) ${name}: ${message}\n`));
  }
}
