import { inSlices } from '../json/in-slices.ts';
import type { Masking } from '../log/bounded-text.ts';
import type { MaybePromise } from '../time/maybe-promise.ts';

/** Length of a part of a text that is masked in one slice, in UTF-16 units. */
const partLength = 256 * 1024;

/** Returns the masked value. Works in slices on a large one; the result is the same as that of `masking.mask`. */
export function maskInSlices<T>(value: T, { mask, reach }: Masking): MaybePromise<T> {
  const around = reach();
  // No secrets are known.
  return around === 0 ? value : inSlices(value, mask, (text) => partsOf(text, mask, around));
}

function* partsOf(text: string, mask: <T>(value: T) => T, around: number): Iterable<string> {
  const length = Math.max(partLength, around * 4);
  let start = 0;
  while (text.length - start > length * 2) {
    const end = cutAfter(text, start + length, mask, around);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Returns the next index at which a cut divides no secret: the text around it is masked the same in one part and in two. */
function cutAfter(text: string, from: number, mask: <T>(value: T) => T, around: number): number {
  for (let place = from; place < text.length; place += around) {
    const [before, behind] = [text.slice(place - around, place), text.slice(place, place + around)];
    if (mask(before) + mask(behind) === mask(before + behind)) return place;
  }
  return text.length;
}
