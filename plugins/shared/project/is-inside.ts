import path from 'node:path';

/** True for the folder itself and everything below it. Compares two absolute paths as text: resolve links first when they matter. */
export function isInside(place: string, folder: string): boolean {
  const way = path.relative(folder, place);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
