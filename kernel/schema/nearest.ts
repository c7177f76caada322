import { distance } from 'fastest-levenshtein';

/**
 * Returns the names nearest to `name`, best first: those within a third of its length (at least 2 edits), or that contain it. Use a `NameIndex` for
 * thousands of names.
 */
export function nearest(name: string, known: Iterable<string>, limit = 3): string[] {
  const wanted = name.toLowerCase();
  const reach = Math.max(2, Math.floor(wanted.length / 3));
  return [...known]
    .flatMap((candidate) => {
      const written = candidate.toLowerCase();
      // An edit changes the length by at most one.
      const mayReach = Math.abs(written.length - wanted.length) <= reach;
      if (!mayReach && !(wanted.length >= 3 && written.includes(wanted))) return [];
      const edits = distance(wanted, written);
      return edits <= reach || (wanted.length >= 3 && written.includes(wanted)) ? [{ candidate, edits }] : [];
    })
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Returns ` Did you mean "a" or "b"?`, or the empty string. */
export function didYouMean(name: string, known: Iterable<string>): string {
  return suggestionText(nearest(name, known));
}

/** Returns the same text for names that were found before. */
export function suggestionText(found: readonly string[]): string {
  const names = found.map((candidate) => `"${candidate}"`);
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
}
