import { isInside } from '../../../shared/project/is-inside.ts';

/** True when the file is this path or lies below it. */
export function isWithin(file: string | undefined, root: string): boolean {
  return file !== undefined && (file === root || isInside(file, root));
}
