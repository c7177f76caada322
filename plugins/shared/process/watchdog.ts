import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { markVariable } from './marked-processes.ts';

/**
 * Kills the remaining processes when its standard input ends: that is when the owning process ends, even by a kill. A line adds (`+ 123`)
 * or removes (`- 123`) a process group. On Linux, processes that left their group or were just started are found by the mark; the search
 * repeats while it finds some, because they may start more. POSIX shell.
 */
const script = `
groups=' '
while read -r verb group; do
  case $verb in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
searches=0
while [ $searches -lt 50 ]; do
  found=$(grep -lsF "$1" /proc/[0-9]*/environ)
  [ -n "$found" ] || break
  for file in $found; do
    process=\${file#/proc/}
    kill -s KILL "\${process%/environ}"
  done
  searches=$((searches + 1))
done
`;

/** Mark in the environment of all programs that this process or thread starts. */
const owner = randomUUID();
const groups = new Set<number>();
let watchdog: ChildProcess | undefined;

/**
 * Returns the environment variable that marks a program to be started. Its value identifies the program and its children and, by its
 * prefix, all programs of this process or thread. When that ends, a small shell kills them. It starts with the first program; not on
 * Windows.
 */
export function markOfRun(): Record<string, string> {
  if (process.platform === 'win32') return {};
  if (watchdog === undefined) startWatchdog();
  return { [markVariable]: `${owner}.${randomUUID()}` };
}

/** Kills the process group of a marked program when this process or thread ends. Returns a function that cancels this. */
export function killWithThisProcess(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  groups.add(pid);
  sendToWatchdog('+', pid);
  return () => {
    if (groups.delete(pid)) sendToWatchdog('-', pid);
  };
}

function startWatchdog(): void {
  const { PATH = '/usr/bin:/bin' } = process.env;
  const child = spawn('/bin/sh', ['-c', script, 'sh', `${markVariable}=${owner}.`], {
    // In a folder that is never removed, and in its own group, so that a signal to this group does not reach it.
    cwd: '/',
    detached: true,
    env: { PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog = child;
  const forget = (): void => {
    if (watchdog === child) watchdog = undefined;
  };
  child.once('error', forget).once('exit', forget).unref();
  // Undefined when no descriptor was left.
  const input = child.stdin as (typeof child.stdin & { unref(): void }) | undefined;
  input?.on('error', forget).unref();
  for (const group of groups) sendToWatchdog('+', group);
}

function sendToWatchdog(verb: '+' | '-', group: number): void {
  watchdog?.stdin?.write(`${verb} ${group}\n`);
}
