/**
 * Starts the runner after its safe sandbox is ready: `node -- launcher.cjs <entry of the runner> <arguments>`. The runner does not wait for
 * it, so the first request of a fast server fails without a reason. When the sandbox cannot be found, starts the runner directly.
 */
const { createRequire } = require('node:module');

async function start(entry, args) {
  const requireOfRunner = createRequire(entry);
  try {
    const sandbox = requireOfRunner('@usebruno/js/src/sandbox/quickjs');
    await sandbox.loader?.();
  } catch {
    // Other versions have it elsewhere.
  }
  process.argv = [process.execPath, entry, ...args];
  requireOfRunner(entry);
}

const [, , entry, ...args] = process.argv;
void start(entry, args);
