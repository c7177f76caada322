import path from 'node:path';

/** A file as seen from the working directory, where it is below it; else as it is. */
export function shownPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  const isBelow = relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  return isBelow ? relative : file;
}

/** The text with every path in it shown like that. */
export function withShownPaths(text: string, cwd: string): string {
  const prefix = path.join(cwd, path.sep);
  return prefix === path.parse(cwd).root ? text : text.replaceAll(` ${prefix}`, ' ').replaceAll(`(${prefix}`, '(');
}
