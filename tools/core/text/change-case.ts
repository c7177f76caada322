import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { identifierWords, sentenceCase, titleCase, withNumbersApart } from './words.ts';

const identifierStyles = {
  camel: 'camelCase',
  pascal: 'pascalCase',
  snake: 'snakeCase',
  kebab: 'kebabCase',
  constant: 'constantCase',
} as const;

type IdentifierStyle = keyof typeof identifierStyles;

interface CaseParameters {
  readonly text: string;
  readonly case: IdentifierStyle | 'title' | 'sentence' | 'upper' | 'lower';
}

interface CaseResult {
  readonly text: string;
}

/** UTF-16 code units that take a millisecond at most, whatever they hold; longer texts are changed in a child process. */
const quick = 1000;

/** Writes a text in another case, line by line. */
export async function changeCase(parameters: CaseParameters, { inChild }: FunctionContext): Promise<CaseResult> {
  if (parameters.text.length <= quick) return changeCaseNow(parameters);
  return inChild('./change-case.ts#changeCaseNow', { ...parameters }) as Promise<CaseResult>;
}

export async function changeCaseNow({ text, case: style }: CaseParameters): Promise<CaseResult> {
  if (style === 'upper') return { text: text.toUpperCase() };
  if (style === 'lower') return { text: text.toLowerCase() };
  return { text: text.replace(/[^\r\n]+/g, await conversion(style)) };
}

async function conversion(style: IdentifierStyle | 'title' | 'sentence'): Promise<(line: string) => string> {
  if (style === 'title') return titleCase;
  if (style === 'sentence') return sentenceCase;
  const { [identifierStyles[style]]: convert } = await import('change-case');
  const isJoined = style === 'camel' || style === 'pascal';
  const split = (line: string): string[] => (isJoined ? withNumbersApart(identifierWords(line)) : identifierWords(line));
  // Without `locale: false` the letters would depend on the machine.
  return (line) => convert(line, { locale: false, mergeAmbiguousCharacters: true, split });
}
