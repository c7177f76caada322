import { excerpt } from '../../../kernel/index.ts';
import { wrongParameter } from './wrong-parameter.ts';

/** The text that takes the place of a match, in parts. */
export type Replacement = (match: RegExpExecArray) => readonly string[];

type Part = (match: RegExpExecArray) => string;

/**
 * Reads a replacement as `String.prototype.replace` does (ECMA-262, GetSubstitution): `$1`, `$<name>`, `$&`, `$$`, `` $` `` and `$'`; any
 * other `$` stands for itself. Throws INVALID_PARAMETERS for a `$<name>` that the pattern does not have, which JavaScript lets pass.
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

/** Two digits are one number where there are so many groups; otherwise the second one is text. */
function groupNumber(digits: string | undefined, count: number): { number: number; length: number } | undefined {
  for (let length = digits?.length ?? 0; length > 0; length--) {
    const number = Number(digits?.slice(0, length));
    if (number >= 1 && number <= count) return { number, length };
  }
  return undefined;
}

function groupsOf({ source, flags }: RegExp): { count: number; names: readonly string[] } {
  // With an empty alternative it matches everything, so that its groups show.
  const match = new RegExp(`${source}|`, flags.replace('y', '')).exec('');
  return { count: (match?.length ?? 1) - 1, names: Object.keys(match?.groups ?? {}) };
}

function unknownName(name: string, names: readonly string[]): Error {
  const known = names.length === 0 ? 'the pattern names no group' : `the pattern names ${excerpt(names.join(', '))}`;
  return wrongParameter('replacement', `received $<${excerpt(name, 60)}>, but ${known}. Write $$< for the characters themselves`);
}
