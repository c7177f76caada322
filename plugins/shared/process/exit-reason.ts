import { excerpt } from '../../../kernel/index.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import type { ProgramResult } from './program.ts';

type Exit = Pick<ProgramResult, 'exitCode' | 'signal' | 'stderr' | 'truncated'>;

/** A reason of an exit, and what it says: the groups of the pattern fill the text. */
type Reason = readonly [pattern: RegExp, text: (match: RegExpExecArray) => string];

const reasons: readonly Reason[] = [
  [/out of memory|std::bad_alloc|Allocation failed/, () => 'more memory was needed than the limit of the reading process'],
  [/Maximum call stack size exceeded/, () => 'it is nested deeper than can be read'],
  [
    /code: 'ERR_ACCESS_DENIED'[^}]{0,200}?resource: '([^'\n]*)'/,
    ([, file = '']) =>
      `the reading process may not read ${excerpt(file, 150)}. Install the packages of this program again, inside its own node_modules`,
  ],
  [/Cannot find module '([^'\n]*)'/, ([, name = '']) => `the package "${excerpt(name, 100)}" is not installed. Install this program again`],
];

/** Returns why a Node process without an answer has ended, to follow "it could not be read: ". Reads the standard error of Node itself. */
export function exitReason({ exitCode, signal, stderr, truncated }: Exit): string {
  if (truncated) return 'its values are longer than the limit of the reading process';
  const { text } = decodeUtf8(stderr);
  for (const [pattern, textOf] of reasons) {
    const match = pattern.exec(text);
    if (match !== null) return textOf(match);
  }
  if (signal !== undefined)
    return `the reading process was ended by ${signal}, which the system or a person sends, also when memory runs out`;
  const said = /^\w*Error.*$/m.exec(text)?.[0];
  return `the reading process ended with exit code ${exitCode ?? 'unknown'}${said === undefined ? '' : ` (${excerpt(said, 150)})`}`;
}
