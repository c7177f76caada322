import { isInside } from '../../../shared/project/is-inside.ts';

/** Whether a file is the place that somebody named, or lies below it. */
export function isWithin(file: string | undefined, place: string): boolean {
  return file !== undefined && (file === place || isInside(file, place));
}
