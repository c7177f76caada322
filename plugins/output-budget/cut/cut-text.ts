import { beginning, textWithin } from '../../shared/output-room/text-within.ts';
import type { SchemaConstraints } from './schema-constraints.ts';

/** A text with a pattern or format, such as a URI, is mostly a name: this many of its characters are never cut off. */
const minPatternLength = 256;

/**
 * Returns the shortest beginning of a text that its schema allows: empty where nothing restricts it, the whole text where no
 * shorter one fits.
 */
export function shortestText(text: string, constraints: SchemaConstraints): string {
  if (constraints.isFixedValue(text)) return text;
  const length = Math.max(constraints.minimum('minLength'), constraints.hasPattern ? minPatternLength : 0);
  // One visible character can have several UTF-16 units.
  const fitting = [length, length * 4].find((units) => units < text.length && constraints.fitsText(beginning(text, units)));
  return fitting === undefined ? text : beginning(text, fitting);
}

/** Returns the longest beginning of a text that fits the room as JSON and its schema. The room is at least that of the shortest one. */
export function longestText(text: string, constraints: SchemaConstraints, room: number): string {
  const { length } = textWithin(text, room - 2);
  // Base64 comes in groups of four.
  const fitting = [length, length - 1, length - 2, length - 3].find((units) => units > 0 && constraints.fitsText(beginning(text, units)));
  return fitting === undefined ? shortestText(text, constraints) : beginning(text, fitting);
}
