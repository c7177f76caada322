/**
 * Starts the runner after its safe sandbox is ready: `node -- launcher.cjs <entry of the runner> <arguments>`. The runner itself does not
 * wait for it, and the first request of a quick server then fails for no reason. Where the sandbox cannot be found, the runner starts as
 * it would.
 */
const { createRequire } = require('node:module');

async function start(entry, args) {
  const requireOfRunner = createRequire(entry);
  try {
    const sandbox = requireOfRunner('@usebruno/js/src/sandbox/quickjs');
    await sandbox.loader?.();
  } catch {
    // Another version keeps it elsewhere.
  }
  process.argv = [process.execPath, entry, ...args];
  requireOfRunner(entry);
}

const [, , entry, ...args] = process.argv;
void start(entry, args);
