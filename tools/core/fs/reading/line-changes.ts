/** Lines of the left text that are replaced by lines of the right one. Line numbers count from 0. */
export interface ChangedRun {
  readonly left: number;
  readonly removed: number;
  readonly right: number;
  readonly added: number;
}

interface Range {
  readonly left: readonly [from: number, to: number];
  readonly right: readonly [from: number, to: number];
}

type Lines = readonly number[];

/**
 * Maximum number of edits that the exact method may find, in the whole text and then in each part; its time and memory grow
 * with the square of it. Beyond that, lines that occur exactly once in both texts divide them into parts (patience diff). A
 * part without such lines counts as replaced.
 */
const editLimits = [1500, 200] as const;

/** Returns the changes between two lists of lines, in order. The set is minimal for up to 1500 changed lines. */
export async function changedRuns(left: readonly string[], right: readonly string[]): Promise<ChangedRun[]> {
  const { diffArrays } = await import('diff');
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): number[] => lines.map((line) => numberOf(line, numbers));
  const [before, after] = [numbered(left), numbered(right)];
  const exact = (range: Range, maxEditLength: number): ChangedRun[] | undefined => {
    const changes = diffArrays(before.slice(...range.left), after.slice(...range.right), { maxEditLength });
    return changes === undefined ? undefined : runsOf(changes, range);
  };
  const runs = (wide: Range, limit: number): ChangedRun[] => {
    const range = withoutCommonEnds(before, after, wide);
    const [removed, added] = [range.left[1] - range.left[0], range.right[1] - range.right[0]];
    if (removed === 0 && added === 0) return [];
    const whole = { left: range.left[0], removed, right: range.right[0], added };
    if (removed === 0 || added === 0) return [whole];
    const found = exact(range, limit);
    if (found !== undefined) return found;
    const parts = dividedAt(anchorsOf(before, after, range), range);
    return parts.length === 1 ? [whole] : parts.flatMap((part) => runs(part, editLimits[1]));
  };
  return runs({ left: [0, before.length], right: [0, after.length] }, editLimits[0]);
}

function numberOf(line: string, numbers: Map<string, number>): number {
  const known = numbers.get(line);
  if (known !== undefined) return known;
  numbers.set(line, numbers.size);
  return numbers.size - 1;
}

function withoutCommonEnds(before: Lines, after: Lines, { left, right }: Range): Range {
  let [from, rightFrom] = [left[0], right[0]];
  let [to, rightTo] = [left[1], right[1]];
  while (from < to && rightFrom < rightTo && before[from] === after[rightFrom]) {
    from += 1;
    rightFrom += 1;
  }
  while (from < to && rightFrom < rightTo && before[to - 1] === after[rightTo - 1]) {
    to -= 1;
    rightTo -= 1;
  }
  return { left: [from, to], right: [rightFrom, rightTo] };
}

function runsOf(
  changes: readonly { readonly count: number; readonly added: boolean; readonly removed: boolean }[],
  range: Range,
): ChangedRun[] {
  const runs: ChangedRun[] = [];
  let [left, right] = [range.left[0], range.right[0]];
  let open: ChangedRun | undefined;
  const close = (): void => {
    if (open !== undefined) runs.push(open);
    open = undefined;
  };
  for (const { count, added, removed } of changes) {
    if (!added && !removed) close();
    else {
      const { left: from, right: rightFrom, ...sizes }: ChangedRun = open ?? { left, removed: 0, right, added: 0 };
      open = { left: from, right: rightFrom, removed: sizes.removed + (removed ? count : 0), added: sizes.added + (added ? count : 0) };
    }
    if (!added) left += count;
    if (!removed) right += count;
  }
  close();
  return runs;
}

/** Returns pairs of line indexes for lines that occur exactly once in both parts: the longest list that increases on both sides. */
function anchorsOf(before: Lines, after: Lines, { left, right }: Range): [number, number][] {
  const places = new Map<number, number>();
  for (const [line, place] of singles(after, right)) places.set(line, place);
  const pairs: [number, number][] = [];
  for (const [line, place] of singles(before, left)) {
    const other = places.get(line);
    if (other !== undefined) pairs.push([place, other]);
  }
  return longestIncreasing(pairs);
}

/** Returns the lines that occur exactly once in a range, with their indexes, in order. */
function singles(lines: Lines, [from, to]: readonly [number, number]): Map<number, number> {
  const found = new Map<number, number>();
  const repeated = new Set<number>();
  for (let place = from; place < to; place++) {
    const line = lines[place] ?? 0;
    if (repeated.has(line)) continue;
    if (found.delete(line)) repeated.add(line);
    else found.set(line, place);
  }
  return found;
}

/** Returns the longest run of pairs whose second members increase; the pairs are sorted by the first. */
function longestIncreasing(pairs: readonly [number, number][]): [number, number][] {
  const last: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, last.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[last[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = last[low - 1];
    last[low] = index;
  }
  const chain: [number, number][] = [];
  for (let index = last.at(-1); index !== undefined; index = previous[index]) chain.push(pairs[index] ?? [0, 0]);
  return chain.reverse();
}

/** Divides a range at the anchors; returns one part when there are none. */
function dividedAt(anchors: readonly [number, number][], { left, right }: Range): Range[] {
  const starts: readonly [number, number][] = [[left[0], right[0]], ...anchors];
  return starts.map(([from, rightFrom], index) => {
    const [to, rightTo] = anchors[index] ?? [left[1], right[1]];
    return { left: [from, to], right: [rightFrom, rightTo] };
  });
}
