import type { Import } from './imports.ts';

/**
 * The circles among the imports: each is a set of files in which every file leads to every other, given as the imports within it. A file
 * that imports itself is a circle as well.
 */
export function circlesOf(imports: readonly Import[]): readonly (readonly Import[])[] {
  const targets = new Map<string, Set<string>>(imports.map(({ from }) => [from, new Set()]));
  for (const { from, to } of imports) targets.get(from)?.add(to);
  const below = new Map([...targets.keys()].map((file) => [file, reached(file, targets)]));
  const isInCircle = ({ from, to }: Import): boolean => below.get(to)?.has(from) === true;
  const circles = new Map<string, Import[]>();
  for (const found of imports.filter(isInCircle)) {
    // The files of one circle reach the same files, and those of two circles never do.
    const key = [...(below.get(found.from) ?? [])].sort().join('\n');
    circles.set(key, [...(circles.get(key) ?? []), found]);
  }
  return [...circles.values()];
}

/** Returns all files that a file reaches by its imports. */
function reached(file: string, targets: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const found = new Set(targets.get(file));
  for (const other of found) for (const target of targets.get(other) ?? []) found.add(target);
  return found;
}
