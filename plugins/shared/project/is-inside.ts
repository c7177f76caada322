import path from 'node:path';

/** True for a folder itself and for all below it. By the text of two absolute paths: resolve links first where they matter. */
export function isInside(place: string, folder: string): boolean {
  const way = path.relative(folder, place);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
