import { beginning, textWithin } from '../../shared/output-room/text-within.ts';
import type { Place } from './place.ts';

/** A text that must look like something, such as a URI, is mostly a name of something: as many characters of it are never cut off. */
const leastOfPattern = 256;

/** The least that may be left of a text: nothing, where nothing is said of it. The whole where no beginning of it is found that fits. */
export function shortestText(text: string, place: Place): string {
  if (place.fixes(text)) return text;
  const length = Math.max(place.least('minLength'), place.hasPattern ? leastOfPattern : 0);
  // What looks like one character can be several UTF-16 units.
  const fitting = [length, length * 4].find((units) => units < text.length && place.fitsText(beginning(text, units)));
  return fitting === undefined ? text : beginning(text, fitting);
}

/** As much of the beginning of a text as has room as JSON and fits. The room is at least that of the shortest one. */
export function longestText(text: string, place: Place, room: number): string {
  const { length } = textWithin(text, room - 2);
  // Base64 comes in groups of four.
  const fitting = [length, length - 1, length - 2, length - 3].find((units) => units > 0 && place.fitsText(beginning(text, units)));
  return fitting === undefined ? shortestText(text, place) : beginning(text, fitting);
}
