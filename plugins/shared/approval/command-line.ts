import type { IdentityPart } from '../../../kernel/index.ts';
import { posixWord } from '../text/shell-word.ts';

/** Returns a program with its arguments as one line, each quoted where a shell would need it: `/usr/bin/wc -l 'my notes.txt'`. */
export function commandLine({ shown, args = [] }: IdentityPart): string {
  return [shown, ...args.map(posixWord)].join(' ');
}
