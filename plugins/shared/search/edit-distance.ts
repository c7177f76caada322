/**
 * Returns the number of typing mistakes between two words: an inserted, missing or replaced letter, or two swapped neighbours (optimal
 * string alignment distance). Takes time proportional to the product of their lengths.
 */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, length) => length);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isOther = left[row - 1] !== right[column - 1];
      const isSwap = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const least = Math.min((last[column] as number) + 1, (current[column - 1] as number) + 1, (last[column - 1] as number) + +isOther);
      current.push(isSwap ? Math.min(least, (beforeLast[column - 2] as number) + 1) : least);
    }
    [beforeLast, last] = [last, current];
  }
  return last[right.length] as number;
}
