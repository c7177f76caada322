import { isPair } from '../pages.ts';
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
  const { length } = textWithin(text, room);
  // Base64 comes in groups of four.
  const fitting = [length, length - 1, length - 2, length - 3].find((units) => units > 0 && place.fitsText(beginning(text, units)));
  return fitting === undefined ? shortestText(text, place) : beginning(text, fitting);
}

function textWithin(text: string, room: number): string {
  let low = 0;
  for (let high = Math.min(text.length, Math.max(0, room - 2)); low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (JSON.stringify(beginning(text, middle)).length <= room) low = middle;
    else high = middle - 1;
  }
  return beginning(text, low);
}

/** At most so many UTF-16 units, and no half of a character. */
function beginning(text: string, units: number): string {
  return text.slice(0, isPair(text, units) ? units - 1 : units);
}
