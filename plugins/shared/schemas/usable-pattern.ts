import { describeValue, patternExcess } from '../../../kernel/index.ts';
import { isSlowPattern } from './pattern-time.ts';

/** The pattern of a schema as it can be checked, or the reason why it is left out; both where it had to change. */
export interface UsablePattern {
  readonly pattern?: string;
  readonly reason?: string;
}

/** Returns a pattern that JavaScript compiles with the flag `u`, as ECMA-262 patterns in JSON Schema are. */
export function usablePattern(given: unknown): UsablePattern {
  if (typeof given !== 'string') return { reason: `the pattern ${describeValue(given)} is left out` };
  const excess = patternExcess(given);
  if (excess !== undefined) return { reason: `its pattern is left out, as it is a regular expression ${excess}` };
  const pattern = [withoutDelimiters(given)].flatMap((text) => [text, withoutNeedlessEscapes(text)]).find(isCompilable);
  if (pattern === undefined) return { reason: `its pattern ${describeValue(given)} is left out, as JavaScript cannot compile it` };
  if (isSlowPattern(pattern)) return { reason: `its pattern ${describeValue(given)} is left out, as it may take very long for some texts` };
  return { pattern };
}

/** Returns the pattern without the slashes of a literal: `/^a$/`. A pattern that begins with `/^` matches nothing otherwise. */
function withoutDelimiters(pattern: string): string {
  return /^\/(\^.*)\/[gu]*$/s.exec(pattern)?.[1] ?? pattern;
}

/** Removes the backslashes that other dialects allow and flag `u` refuses, such as `\-` outside a class and `\@`. */
function withoutNeedlessEscapes(pattern: string): string {
  let isInClass = false;
  return pattern.replace(/\\(.)|[[\]]/gsu, (token: string, escaped: string | undefined) => {
    if (escaped === undefined) {
      isInClass = token === '[';
      return token;
    }
    if (!isInClass && escaped === 'A') return '^';
    if (!isInClass && (escaped === 'Z' || escaped === 'z')) return '$';
    const isNeeded = /[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(escaped) || (isInClass && escaped === '-');
    return isNeeded ? token : escaped;
  });
}

function isCompilable(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
