import { isInside } from '../../../shared/project/is-inside.ts';

/** True when the file is this path or lies below it. */
export function isWithin(file: string | undefined, place: string): boolean {
  return file !== undefined && (file === place || isInside(file, place));
}
