/** Returns the words of an identifier in lower case: `BoxFiles_getFileById` has box, files, get, file, by, id. */
export function wordsOf(text: string): readonly string[] {
  return text
    .slice(0, 500)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Returns the words without groups that repeat the one before them: files, files, get has files, get. */
export function withoutRepeats(words: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; ) {
    const repeated = [3, 2, 1].find((size) => at + size <= words.length && isRepeat(kept, words.slice(at, at + size)));
    if (repeated === undefined) kept.push(words[at] as string);
    at += repeated ?? 1;
  }
  return kept;
}

function isRepeat(kept: readonly string[], group: readonly string[]): boolean {
  return kept.length >= group.length && group.every((word, index) => kept[kept.length - group.length + index] === word);
}

/** Returns the singular of an English word, roughly: enough to compare words. */
export function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
