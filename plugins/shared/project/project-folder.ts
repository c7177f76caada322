import path from 'node:path';

/** Returns the folder of a project: that of its configuration file, else the working directory. Relative paths start there. */
export function projectFolder(configFile: string | undefined): string {
  return configFile === undefined ? process.cwd() : path.dirname(configFile);
}
