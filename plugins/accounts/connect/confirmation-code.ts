import { randomInt } from 'node:crypto';
import { posixWord } from '../../shared/text/shell-word.ts';
import type { GrantOwner } from '../grants/grant.ts';

/** Letters and digits that are not mistaken for others, and no vowels: no code is a word. */
const alphabet = '34679CDFGHJKMNPQRTVWXY';
const codeLength = 8;

/** Tries of a caller for one code. */
export const maxTries = 5;

/** Returns a random code, 35 bits. */
export function randomCode(): string {
  return Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Returns a code as people read it: `CDFG-3467`. */
export function shownCode(code: string): string {
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}

/** Returns the code in a typed text. */
export function typedCode(text: string): string {
  return text.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
}

/** Returns the command line that types a code for a caller. `code`: as it is shown, or a placeholder. */
export function confirmCommand(code: string, { tenant, caller }: Pick<GrantOwner, 'tenant' | 'caller'>): string {
  const words = [...(caller === 'default' ? [] : ['--as', caller]), ...(tenant === caller ? [] : ['--tenant', tenant])];
  return ['toolkit auth login --confirm', code, ...words.map(posixWord)].join(' ');
}
