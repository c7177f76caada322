import os from 'node:os';
import path from 'node:path';

/** Where this account keeps what outlives a process (XDG Base Directory Specification, 3; on Windows the local application data). */
export function stateFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const base = process.platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_STATE_HOME'];
  // The specification has relative paths ignored.
  const folder = base !== undefined && path.isAbsolute(base) ? base : path.join(env['HOME'] || os.homedir(), '.local', 'state');
  return path.join(folder, 'toolkit');
}
