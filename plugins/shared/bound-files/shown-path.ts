import path from 'node:path';
import { isInside } from '../project/is-inside.ts';

/** Returns the display path that an approval of a declared path is bound to: relative to the first root when inside it, else absolute. */
export function shownPath(file: string, root: string | undefined): string {
  return root !== undefined && isInside(file, root) ? path.relative(root, file) || '.' : file;
}
