import { ToolkitError } from '../../../../kernel/index.ts';

/** One flag of the command line. `text` is absent for a flag without a value. */
export interface ParsedFlag {
  readonly name: string;
  readonly text?: string;
}

/**
 * Parses the words after the name of a tool into flags. The word after a flag is its value unless it begins with two dashes, or with one
 * after a boolean parameter (`isSwitch`). Throws INVALID_PARAMETERS for any other word.
 */
export function parseFlags(words: readonly string[], isSwitch: (name: string) => boolean): readonly ParsedFlag[] {
  const given: ParsedFlag[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') continue;
    if (!word.startsWith('--')) throw strayWordError(index);
    const equals = word.indexOf('=');
    if (equals > 0) {
      given.push({ name: word.slice(2, equals), text: word.slice(equals + 1) });
      continue;
    }
    const name = word.slice(2);
    const next = words[index + 1];
    if (next === undefined || next.startsWith(isSwitch(name) ? '-' : '--')) given.push({ name });
    else {
      given.push({ name, text: next });
      index++;
    }
  }
  return given;
}

/** Parses `name=value` of a `--param`. Throws INVALID_PARAMETERS. */
export function parsePair(pair: string): Required<ParsedFlag> {
  const equals = pair.indexOf('=');
  if (equals > 0) return { name: pair.slice(0, equals), text: pair.slice(equals + 1) };
  throw new ToolkitError('INVALID_PARAMETERS', '--param expected name=value, received something without a name before "=".');
}

/** Does not repeat the word, which may be part of a secret. */
function strayWordError(index: number): ToolkitError {
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `Word ${index + 1} behind the name of the tool is neither a flag nor the value of one: expected --name value. Quote a value with blanks, or give all parameters with --params.`,
  );
}
