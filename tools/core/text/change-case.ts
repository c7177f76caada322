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

/** Maximum UTF-16 code units to process in this process: they take at most a millisecond. A child process takes longer texts. */
const maxInlineUnits = 1000;

/** Converts the case of a text, line by line. */
export async function changeCase(parameters: CaseParameters, { inChild }: FunctionContext): Promise<CaseResult> {
  if (parameters.text.length <= maxInlineUnits) return changeCaseNow(parameters);
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
  // `locale: false`, because the letters would otherwise depend on the machine.
  return (line) => convert(line, { locale: false, mergeAmbiguousCharacters: true, split });
}
