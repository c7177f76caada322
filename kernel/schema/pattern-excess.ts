/** Longest pattern of a regular expression that a caller may give, in UTF-16 code units. */
export const maxPatternLength = 10_000;

/** Deepest nesting of groups and classes in one. People write less than ten; V8 ends the process at some thousand. */
export const maxPatternNesting = 100;

/**
 * Returns why a caller's pattern may not be compiled: `of 20000 characters, expected at most 10000`; undefined for one that may. Groups are counted without
 * looking whether the pattern is valid, and never lower than V8 does: with classes nested (flag `v`) and not.
 */
export function patternExcess(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `of ${pattern.length} characters, expected at most ${maxPatternLength}`;
  const nesting = patternNesting(pattern);
  return nesting > maxPatternNesting ? `with ${nesting} groups inside each other, expected at most ${maxPatternNesting}` : undefined;
}

/** Counts how deep groups and classes of a text are nested, if it were the pattern of a regular expression. */
export function patternNesting(text: string): number {
  return Math.max(nesting(text, false), nesting(text, true));
}

/** Counts how deep brackets of any kind are nested in a text of another language, such as a query with patterns in it. */
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
