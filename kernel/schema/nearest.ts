import { distance } from 'fastest-levenshtein';

/** The names closest to `name`, nearest first: those within a third of its length (at least 2 edits), or that contain it. */
export function nearest(name: string, known: Iterable<string>, limit = 3): string[] {
  const wanted = name.toLowerCase();
  const reach = Math.max(2, Math.floor(wanted.length / 3));
  return [...known]
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= reach || (wanted.length >= 3 && candidate.toLowerCase().includes(wanted)))
    .sort((a, b) => a.edits - b.edits || a.candidate.localeCompare(b.candidate))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** ` Did you mean "a" or "b"?`, or the empty string. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = nearest(name, known).map((candidate) => `"${candidate}"`);
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
}
