/** Maximum length of a caller's regular expression, in UTF-16 units. */
export const maxPatternLength = 10_000;

/** Maximum nesting of groups and classes. Usual patterns have less than ten levels; V8 ends the process at some thousand. */
export const maxPatternNesting = 100;

/**
 * Returns why a caller's pattern must not be compiled: `of 20000 characters, expected at most 10000`; undefined for an acceptable one. Also counts
 * groups of an invalid pattern, and never fewer than V8, with and without nested classes (flag `v`).
 */
export function patternExcess(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `of ${pattern.length} characters, expected at most ${maxPatternLength}`;
  const nesting = patternNesting(pattern);
  return nesting > maxPatternNesting ? `with ${nesting} groups inside each other, expected at most ${maxPatternNesting}` : undefined;
}

/** Returns the nesting of groups and classes, for a text that is read as a regular expression. */
export function patternNesting(text: string): number {
  return Math.max(nesting(text, false), nesting(text, true));
}

/** Returns the nesting of brackets of any kind, for a text of another language such as a query with patterns. */
export function bracketNesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\') at++;
    else if ('([{'.includes(character)) deepest = Math.max(deepest, ++depth);
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
  }
  return deepest;
}

function nesting(text: string, isNestingClasses: boolean): number {
  let groups = 0;
  let classes = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '[') classes = isNestingClasses ? classes + 1 : 1;
    else if (character === ']') classes = Math.max(0, classes - 1);
    else if (classes === 0 && character === '(') groups++;
    else if (classes === 0 && character === ')') groups = Math.max(0, groups - 1);
    deepest = Math.max(deepest, groups + classes);
  }
  return deepest;
}
