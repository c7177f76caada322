import os from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where this account keeps what outlives a process (XDG Base Directory Specification, 3; on Windows the local application data). */
export function stateFolder(env: Environment = process.env): string {
  return path.join(base(env, 'XDG_STATE_HOME', path.join('.local', 'state')), 'toolkit');
}

/** Where this account keeps what can be worked out again (the same). */
export function cacheFolder(env: Environment = process.env): string {
  return path.join(base(env, 'XDG_CACHE_HOME', '.cache'), 'toolkit', ...(process.platform === 'win32' ? ['Cache'] : []));
}

function base(env: Environment, variable: string, otherwise: string): string {
  const folder = process.platform === 'win32' ? env['LOCALAPPDATA'] : env[variable];
  // The specification has relative paths ignored.
  return folder !== undefined && path.isAbsolute(folder) ? folder : path.join(homeFolder(env), otherwise);
}

/** The root where an account has no home, as one without a name in a container: there it cannot write. */
export function homeFolder(env: Environment = process.env): string {
  if (env['HOME']) return env['HOME'];
  try {
    return os.homedir();
  } catch {
    return path.parse(process.execPath).root;
  }
}
