import { excerpt } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';

/** Returns the replacement of a match, in parts. */
export type Replacement = (match: RegExpExecArray) => readonly string[];

type Part = (match: RegExpExecArray) => string;

/**
 * Parses a replacement as `String.prototype.replace` does (ECMA-262, GetSubstitution): `$1`, `$<name>`, `$&`, `$$`, `` $` `` and `$'`. Any
 * other `$` stays. Throws INVALID_PARAMETERS for a `$<name>` that the pattern does not have, which JavaScript ignores.
 */
export function parseReplacement(replacement: string, pattern: RegExp): Replacement {
  const { count, names } = groupsOf(pattern);
  const parts: Part[] = [];
  let literalFrom = 0;
  for (const found of replacement.matchAll(/\$(?:([$&`'])|(\d{1,2})|<([^>]*)>)/g)) {
    const [written, sign, digits, name] = found;
    const group = groupNumber(digits, count);
    if (name !== undefined && !names.includes(name)) throw unknownName(name, names);
    if (digits !== undefined && group === undefined) continue;
    const literal = replacement.slice(literalFrom, found.index);
    parts.push(() => literal);
    if (sign !== undefined) parts.push(signs[sign] ?? (() => ''));
    if (group !== undefined) parts.push((match) => match[group.number] ?? '');
    if (name !== undefined) parts.push((match) => match.groups?.[name] ?? '');
    literalFrom = found.index + (group === undefined ? written.length : group.length + 1);
  }
  const rest = replacement.slice(literalFrom);
  parts.push(() => rest);
  return (match) => parts.map((part) => part(match));
}

const signs: Readonly<Record<string, Part>> = {
  $: () => '$',
  '&': ([whole]) => whole,
  '`': ({ input, index }) => input.slice(0, index),
  "'": ({ input, index, 0: whole }) => input.slice(index + whole.length),
};

/** Reads two digits as one number when the pattern has that many groups; otherwise the second digit is text. */
function groupNumber(digits: string | undefined, count: number): { number: number; length: number } | undefined {
  for (let length = digits?.length ?? 0; length > 0; length--) {
    const number = Number(digits?.slice(0, length));
    if (number >= 1 && number <= count) return { number, length };
  }
  return undefined;
}

function groupsOf({ source, flags }: RegExp): { count: number; names: readonly string[] } {
  // The added empty alternative matches any text, so that the match lists all groups.
  const match = new RegExp(`${source}|`, flags.replace('y', '')).exec('');
  return { count: (match?.length ?? 1) - 1, names: Object.keys(match?.groups ?? {}) };
}

function unknownName(name: string, names: readonly string[]): Error {
  const known = names.length === 0 ? 'the pattern names no group' : `the pattern names ${excerpt(names.join(', '))}`;
  return invalidParameter('replacement', `received $<${excerpt(name, 60)}>, but ${known}. Write $$< for the characters themselves`);
}
