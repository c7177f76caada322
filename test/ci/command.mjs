import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How long a command may take to end once it was asked to, and its output to end once it has. */
const graceMs = 5000;

/** The process groups that run now. */
const running = new Set();

function signal(group, name) {
  try {
    process.kill(-group, name);
  } catch {
    // It has ended.
  }
}

/** Ends whatever runs, at once. */
export function endAll() {
  for (const group of running) signal(group, 'SIGKILL');
}

const after = (ms, then) => setTimeout(then, ms).unref();

/**
 * Runs a command line in a process group of its own, and ends the whole group with it, or when `limitMs` have passed. What it writes goes to
 * `write` as it comes. `code` is null when a signal ended it.
 * @returns {Promise<{ code: number | null, isOverLimit: boolean }>}
 */
export async function runCommand(command, { cwd = '.', env, limitMs, write }) {
  const child = spawn('bash', ['-c', `TIMEFORMAT='= %R s, %U s + %S s of CPU'; time { ${command}\n}`], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = child.pid;
  if (group === undefined) throw new Error(`bash cannot be started for: ${command}`);
  running.add(group);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', write);
  let isOverLimit = false;
  const limit = setTimeout(() => {
    isOverLimit = true;
    signal(group, 'SIGTERM');
    after(graceMs, () => signal(group, 'SIGKILL'));
  }, limitMs);
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  clearTimeout(limit);
  if (!isOverLimit) signal(group, 'SIGKILL');
  // Something that left the group may hold the pipes open for ever.
  const late = setTimeout(() => {
    child.stdout.destroy();
    child.stderr.destroy();
  }, graceMs);
  await closed;
  clearTimeout(late);
  signal(group, 'SIGKILL');
  running.delete(group);
  return { code, isOverLimit };
}
