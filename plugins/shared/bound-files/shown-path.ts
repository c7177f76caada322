import path from 'node:path';
import { isInside } from '../project/is-inside.ts';

/** The name under which an approval holds for a declared path: from the first root on where it lies there, else absolute. */
export function shownPath(file: string, root: string | undefined): string {
  return root !== undefined && isInside(file, root) ? path.relative(root, file) || '.' : file;
}
