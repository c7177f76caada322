import os from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the account's folder for state that outlives a process (XDG Base Directory Specification, 3; local application data on Windows). */
export function stateFolder(env: Environment = process.env): string {
  return path.join(base(env, 'XDG_STATE_HOME', path.join('.local', 'state')), 'toolkit');
}

/** Returns the account's cache folder, for data that can be computed again (same specification). */
export function cacheFolder(env: Environment = process.env): string {
  return path.join(base(env, 'XDG_CACHE_HOME', '.cache'), 'toolkit', ...(process.platform === 'win32' ? ['Cache'] : []));
}

function base(env: Environment, variable: string, otherwise: string): string {
  const folder = process.platform === 'win32' ? env['LOCALAPPDATA'] : env[variable];
  // The specification requires relative paths to be ignored.
  return folder !== undefined && path.isAbsolute(folder) ? folder : path.join(homeFolder(env), otherwise);
}

/**
 * Returns the account's home folder. Without a home, as for an unnamed account in a container: the file system root, where it cannot
 * write.
 */
export function homeFolder(env: Environment = process.env): string {
  if (env['HOME']) return env['HOME'];
  try {
    return os.homedir();
  } catch {
    return path.parse(process.execPath).root;
  }
}
