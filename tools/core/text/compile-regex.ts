import { excerpt, messageOf, patternExcess, type ToolkitError } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';

interface PatternSource {
  readonly pattern: string;
  readonly flags?: string;
}

/** Allowed flags. `d` has no effect on the results. */
const knownFlags = 'gimsuvy';
const flagMeanings =
  'i (ignore case), m (^ and $ at every line), s (. matches line breaks), y (sticky), u or v (Unicode; u is on anyway) and g (all; on anyway)';

/**
 * Compiles a pattern that finds all matches of a text. Unicode mode comes first. A pattern that only the older syntax allows, such as `\-`,
 * is compiled without it, unless it would silently mean something else there. Throws INVALID_PARAMETERS.
 */
export function compileRegex({ pattern, flags = '' }: PatternSource): RegExp {
  checkFlags(flags);
  const more = [...flags].filter((flag) => !'guv'.includes(flag)).join('');
  const mode = flags.includes('v') ? 'v' : 'u';
  const excess = patternExcess(pattern);
  if (excess !== undefined) throw invalidParameter('pattern', `received one ${excess}. Write a simpler one`);
  const mistake = findMisleading(pattern);
  if (mistake !== undefined) throw invalidParameter('pattern', `expected a JavaScript regular expression, ${mistake}`);
  try {
    return new RegExp(pattern, `g${mode}${more}`);
  } catch (error) {
    if (/[uv]/.test(flags) || /\\[pP]\{|\\u\{|\\k</.test(pattern)) throw invalid(pattern, error);
  }
  try {
    return new RegExp(pattern, `g${more}`);
  } catch (error) {
    throw invalid(pattern, error);
  }
}

function checkFlags(flags: string): void {
  const unknown = [...flags].find((flag, index) => !knownFlags.includes(flag) || flags.indexOf(flag) !== index);
  if (unknown !== undefined)
    throw invalidParameter('flags', `expected any of ${flagMeanings}, each once, received "${unknown}" in "${excerpt(flags, 20)}"`);
  if (flags.includes('u') && flags.includes('v')) throw invalidParameter('flags', 'expected u or v, received both. Leave one of them out');
}

/** Letters that have a meaning after a backslash in other languages only. The older syntax reads them as plain letters. */
const foreignEscape = /[aeghijlmoyzACE-OQRTUVXYZ]/;

/** Describes the first part of a pattern that JavaScript would silently read in another way than intended. Undefined when there is none. */
function findMisleading(pattern: string): string | undefined {
  const letter = Array.from(pattern.matchAll(/\\([\s\S])/g), ([, escaped = '']) => escaped).find((escaped) => foreignEscape.test(escaped));
  if (letter !== undefined)
    return `received \\${letter}, which does not exist there. ^ and $ are the borders of the text, or with flag m of lines`;
  return /\[\[:\^?[a-z]+:\]/.test(pattern)
    ? 'received a POSIX class. Write \\p{L} for letters, \\d for digits, \\s for white space'
    : undefined;
}

/** Advice for patterns in the syntax of other languages. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/\(\?P[<=>]/, 'A named group is (?<name>…), and \\k<name> is what it matched'],
  [/^\(\?[a-z]+\)/, 'Give flags in "flags"'],
  [/\(\?>|[*+?}]\+/, 'There are no atomic groups and possessive quantifiers'],
];

function invalid(pattern: string, error: unknown): ToolkitError {
  // The message begins with the whole pattern: "Invalid regular expression: /(/gu: Unterminated group".
  const reason = messageOf(error).replace(/^Invalid regular expression: \/[\s\S]*\/[a-z]*: /, '');
  const hint = hints.find(([syntax]) => syntax.test(pattern))?.[1];
  return invalidParameter(
    'pattern',
    `expected a JavaScript regular expression: ${excerpt(reason)}${hint === undefined ? '' : `. ${hint}`}`,
  );
}
