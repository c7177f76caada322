/** Returns a function that is true for names that one of the patterns matches. `*` stands for any characters. */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const parts = patterns.map((pattern) => pattern.split('*'));
  return (name) => parts.some((pieces) => matches(name, pieces));
}

/** Matches without a regular expression, whose time a pattern could blow up. */
function matches(name: string, [first = '', ...rest]: readonly string[]): boolean {
  if (rest.length === 0) return name === first;
  if (!name.startsWith(first)) return false;
  const last = rest.at(-1) ?? '';
  let from = first.length;
  for (const piece of rest.slice(0, -1)) {
    const at = name.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
