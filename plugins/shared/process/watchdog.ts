import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { markVariable } from './marked-processes.ts';

/**
 * Ends what is left when its standard input ends: with the process that holds the other end, also where that was killed. Each line adds
 * (`+ 123`) or removes (`- 123`) a process group. What left its group, or was started in the last moment, is found by the mark on Linux,
 * again and again while there is some: it may start more before it is killed. POSIX shell.
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

/** In the environment of all that this process or thread starts. */
const owner = randomUUID();
const groups = new Set<number>();
let watchdog: ChildProcess | undefined;

/**
 * The variable of the environment by which a program to be started is found, with what it starts, by its own value and, when this process or
 * thread is gone, by that of all. One small shell ends them then; it is started with the first program, and not on Windows.
 */
export function markOfRun(): Record<string, string> {
  if (process.platform === 'win32') return {};
  if (watchdog === undefined) startWatchdog();
  return { [markVariable]: `${owner}.${randomUUID()}` };
}

/** Has the process group of a program that was given a mark killed when this process or thread is gone before the returned function was called. */
export function endWithThisProcess(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  groups.add(pid);
  tell('+', pid);
  return () => {
    if (groups.delete(pid)) tell('-', pid);
  };
}

function startWatchdog(): void {
  const { PATH = '/usr/bin:/bin' } = process.env;
  const child = spawn('/bin/sh', ['-c', script, 'sh', `${markVariable}=${owner}.`], {
    // In no folder that somebody may want to remove, and in a group of its own, so that a signal to this one leaves it.
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
  // There is none where no descriptor was left for it.
  const input = child.stdin as (typeof child.stdin & { unref(): void }) | undefined;
  input?.on('error', forget).unref();
  for (const group of groups) tell('+', group);
}

function tell(verb: '+' | '-', group: number): void {
  watchdog?.stdin?.write(`${verb} ${group}\n`);
}
