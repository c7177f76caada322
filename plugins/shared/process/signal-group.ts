/** Sends a signal to a process that leads a group of its own, and to all in the group; on Windows to the process alone. One that has ended is none. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // ESRCH: the group has ended already.
  }
}
