import path from 'node:path';

/** Returns a path relative to the working directory when below it, else unchanged. */
export function displayPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  const isBelow = relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  return isBelow ? relative : file;
}

/** Shortens every path in a text in the same way. */
export function withDisplayPaths(text: string, cwd: string): string {
  const prefix = path.join(cwd, path.sep);
  return prefix === path.parse(cwd).root ? text : text.replaceAll(` ${prefix}`, ' ').replaceAll(`(${prefix}`, '(');
}
