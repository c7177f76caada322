import { randomInt } from 'node:crypto';
import { ToolkitError } from '../../../kernel/index.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
/** Symbols without quotes, backslash, brackets, $ and &, which are most often broken when a password is passed on. */
const symbols = '!#%*+-.:=?@_';

/** Character classes of each alphabet. A password has at least one character of each class. */
const alphabets = {
  alphanumeric: [upper + lower + digits],
  hex: [`${digits}abcdef`],
  url_safe: [`${upper}${lower}${digits}-_`],
  digits: [digits],
  password: [upper, lower, digits, symbols],
} as const satisfies Record<string, readonly string[]>;

interface RandomStringParameters {
  readonly length: number;
  readonly alphabet: keyof typeof alphabets;
  readonly count: number;
}

/** Draws strings from the cryptographic random source. Throws INVALID_PARAMETERS for a password too short for all character classes. */
export function randomString({ length, alphabet, count }: RandomStringParameters): { readonly values: readonly string[] } {
  const classes: readonly string[] = alphabets[alphabet];
  if (length < classes.length) throw tooShort(length, classes.length);
  return { values: Array.from({ length: count }, () => stringWithAll(classes, length)) };
}

/** Draws again when a class is missing, so that all strings with all classes are equally likely. */
function stringWithAll(classes: readonly string[], length: number): string {
  const characters = classes.join('');
  for (;;) {
    const text = Array.from({ length }, () => characters[randomInt(characters.length)]).join('');
    if (classes.length === 1 || classes.every((members) => Array.from(members).some((member) => text.includes(member)))) return text;
  }
}

function tooShort(length: number, needed: number): ToolkitError {
  const message = `expected at least ${needed} for a password, which has a character of each class, received ${length}`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "length": ${message}. 16 or more is a strong one.`, {
    issues: [{ path: 'length', message }],
  });
}

/** Creates UUIDs (RFC 9562). Those of version 7 ascend, also from one call to the next. */
export async function uuid({ version, count }: { readonly version: 4 | 7; readonly count: number }): Promise<{ readonly uuids: string[] }> {
  const { v4, v7 } = await import('uuid');
  return { uuids: Array.from({ length: count }, () => (version === 4 ? v4() : v7())) };
}
