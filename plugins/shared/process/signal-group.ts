/** Sends a signal to the process group that a process leads; on Windows to the process alone. Does nothing when it has ended. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // ESRCH: the group has ended already.
  }
}
