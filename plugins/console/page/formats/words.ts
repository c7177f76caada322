/** Returns the count with its noun: `1 call`, `3 calls`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** Returns the size of a text: `840 characters`, `200 kB`. */
export function sizeOf(text: string): string {
  return text.length < 10_000 ? counted(text.length, 'character') : `${Math.round(text.length / 1000).toLocaleString('en')} kB`;
}

/** Returns true when each word of the filter is in one of the texts; case does not count. */
export function matches(filter: string, texts: readonly (string | undefined)[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
