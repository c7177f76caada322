import { messageOf } from '../../kernel/index.ts';
import { operationError } from './operation-error.ts';

/** Matches the first line of a block of free text. Such a block ends at a `}` in the first column. */
const blockStart =
  /^(body(?::(?:json|text|xml|sparql|graphql|graphql:vars))?|script:(?:pre-request|post-response)|tests|docs|example)[ \t]*\{[ \t]*$/;

/** Maximum length of a file without its text blocks, in characters. The library takes up to 40 µs for each and blocks the event loop. */
const maxOutline = 32 * 1024;

export interface Blocks<T> {
  /** The parsed file without its text blocks. */
  readonly content: T;
  /** Text blocks by name, such as `tests` or `body:json`. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Reads a `.bru` file with a function of the library, except its text blocks: the library takes seconds and a gigabyte for a megabyte of them.
 * Throws an Error that names line and column.
 */
export function readBlocks<T>(file: string, parse: (text: string) => T): Blocks<T> {
  const { outline, numbers, texts } = separateBlocks(file);
  const text = outline.join('\n');
  if (text.length > maxOutline)
    throw operationError(
      `it has ${text.length} characters beside its texts (bodies, scripts, tests, docs); at most ${maxOutline} are read`,
    );
  try {
    return { content: parse(text), texts };
  } catch (error) {
    throw operationError(shortenMessage(messageOf(error), numbers), 'EXECUTION_FAILED', error);
  }
}

interface Separated {
  readonly outline: readonly string[];
  /** Line numbers in the file, for each line of the outline. */
  readonly numbers: readonly number[];
  readonly texts: ReadonlyMap<string, string>;
}

function separateBlocks(file: string): Separated {
  const [outline, numbers]: [string[], number[]] = [[], []];
  const texts = new Map<string, string>();
  let open: { readonly name: string; readonly number: number; readonly lines: string[] } | undefined;
  let isInside = false;
  for (const [index, line] of file.split(/\r?\n/).entries()) {
    if (open !== undefined && !line.startsWith('}')) {
      open.lines.push(line.replace(/^ {2}/, ''));
      continue;
    }
    const name = isInside || open !== undefined ? undefined : blockStart.exec(line)?.[1];
    if (name !== undefined) {
      open = { name, number: index + 1, lines: [] };
      continue;
    }
    if (open !== undefined) texts.set(open.name, open.lines.join('\n'));
    else if (/^[}\]]/.test(line)) isInside = false;
    else if (/^\w.*[{[][ \t]*$/.test(line)) isInside = true;
    outline.push(open === undefined ? line : line.slice(1));
    numbers.push(index + 1);
    open = undefined;
  }
  if (open !== undefined) throw operationError(`Line ${open.number}: the block ${open.name} has no end; expected a } in the first column`);
  return { outline, numbers, texts };
}

/** Shortens a message of the library: drops the source lines that it quotes. */
function shortenMessage(message: string, numbers: readonly number[]): string {
  const position = /^Line (\d+), col (\d+):/.exec(message);
  if (position === null) return message;
  const expected = message.slice(message.lastIndexOf('\nExpected ') + 1);
  return `Line ${numbers[Number(position[1]) - 1] ?? position[1]}, col ${position[2]}: ${expected.startsWith('Expected ') ? expected : 'it cannot be read'}`;
}
