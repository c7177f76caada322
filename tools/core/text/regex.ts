import { compileRegex } from './compile-regex.ts';
import { matchesOf } from './matches.ts';
import { OutputSize } from './output-size.ts';
import { parseReplacement } from './replacement.ts';

interface PatternParameters {
  readonly text: string;
  readonly pattern: string;
  readonly flags?: string;
}

interface Match {
  readonly text: string;
  /** Start in UTF-16 code units, from 0. */
  readonly index: number;
  readonly groups: readonly (string | null)[];
  readonly named: Readonly<Record<string, string | null>>;
}

interface MatchParameters extends PatternParameters {
  readonly max_matches: number;
}

/** Finds every match of a pattern. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. May run for a very long time, as a pattern can. */
export function match({ text, max_matches, ...written }: MatchParameters): { matches: readonly Match[]; truncated: boolean } {
  const size = new OutputSize('Lower max_matches, or match less with each.');
  const matches: Match[] = [];
  for (const found of matchesOf(text, compileRegex(written))) {
    if (matches.length === max_matches) return { matches, truncated: true };
    for (const part of found) size.add(part?.length ?? 0);
    matches.push(toMatch(found));
  }
  return { matches, truncated: false };
}

function toMatch(found: RegExpExecArray): Match {
  const [text = '', ...groups] = found as readonly (string | undefined)[];
  const named = Object.entries<string | undefined>(found.groups ?? {});
  return {
    text,
    index: found.index,
    groups: groups.map((group) => group ?? null),
    named: Object.fromEntries(named.map(([name, group]) => [name, group ?? null])),
  };
}

interface ReplaceParameters extends PatternParameters {
  readonly replacement: string;
}

/** Replaces every match of a pattern. Throws like `match`. */
export function replace({ text, replacement, ...written }: ReplaceParameters): { text: string; replacements: number } {
  const pattern = compileRegex(written);
  const partsFor = parseReplacement(replacement, pattern);
  const size = new OutputSize('Give a part of the text, or replace with less.');
  let replaced = '';
  let end = 0;
  let replacements = 0;
  for (const found of matchesOf(text, pattern)) {
    for (const part of [text.slice(end, found.index), ...partsFor(found)]) {
      size.add(part.length);
      replaced += part;
    }
    end = found.index + found[0].length;
    replacements += 1;
  }
  size.add(text.length - end);
  return { text: replaced + text.slice(end), replacements };
}
