/** Returns a test for texts that match an entry, in which `*` stands for any characters. */
export function matcher(entry: string): (text: string) => boolean {
  if (!entry.includes('*')) return (text) => text === entry;
  const pattern = new RegExp(
    `^${entry
      .split('*')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );
  return (text) => pattern.test(text);
}

export function anyOf(entries: readonly string[]): (text: string) => boolean {
  const matchers = entries.map(matcher);
  return (text) => matchers.some((matches) => matches(text));
}
