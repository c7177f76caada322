import { distance } from 'fastest-levenshtein';

/** The names closest to `name`, nearest first: those within a third of its length (at least 2 edits), or that contain it. */
export function nearest(name: string, known: Iterable<string>, limit = 3): string[] {
  const wanted = name.toLowerCase();
  const reach = Math.max(2, Math.floor(wanted.length / 3));
  const isWithin = (text: string): boolean => wanted.length >= 3 && text.includes(wanted);
  return (
    [...known]
      .map((candidate) => ({ candidate, text: candidate.toLowerCase() }))
      // So many letters more or less are as many edits: the distance need not be counted.
      .filter(({ text }) => Math.abs(text.length - wanted.length) <= reach || isWithin(text))
      .map(({ candidate, text }) => ({ candidate, text, edits: distance(wanted, text) }))
      .filter(({ text, edits }) => edits <= reach || isWithin(text))
      .sort((a, b) => a.edits - b.edits || a.candidate.localeCompare(b.candidate))
      .slice(0, limit)
      .map(({ candidate }) => candidate)
  );
}

/** ` Did you mean "a" or "b"?`, or the empty string. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = nearest(name, known).map((candidate) => `"${candidate}"`);
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
}
