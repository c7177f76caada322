/** The structure of code, without the texts in it. */
export interface CodeOutline {
  /** The code, in which every character of comments is a blank, and of strings and templates a quote. Offsets stay. */
  readonly plain: string;
  /** Returns the offset of the bracket that closes the one at this offset; undefined when there is none. */
  closing(open: number): number | undefined;
}

/** Comments, strings and templates. Templates with `${` are refused below, since they may hold code. */
const hidden = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g;

/** Returns the outline of a configuration; undefined for code that it cannot follow: templates with expressions, and regular expressions. */
export function outlineOf(code: string): CodeOutline | undefined {
  let isClear = true;
  const plain = code.replace(hidden, (part) => {
    if (part.startsWith('`') && part.includes('${')) isClear = false;
    return part.replace(/[^\n]/g, part.startsWith('/') ? ' ' : "'");
  });
  // A slash that is left is a division or a regular expression, which may hold quotes.
  if (!isClear || plain.includes('/') || plain.includes('`')) return undefined;
  return {
    plain,
    closing(open) {
      const expected: string[] = [];
      const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
      for (let at = open; at < plain.length; at++) {
        const character = plain[at] ?? '';
        const closer = closers[character];
        if (closer !== undefined) expected.push(closer);
        else if (')]}'.includes(character)) {
          if (expected.pop() !== character) return undefined;
          if (expected.length === 0) return at;
        }
      }
      return undefined;
    },
  };
}
