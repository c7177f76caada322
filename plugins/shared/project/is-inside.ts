import path from 'node:path';

/** True for the folder itself and everything below it. Compares two absolute paths as text: resolve links first when they matter. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
