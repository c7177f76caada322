import { isDeepStrictEqual } from 'node:util';
import { isPlainObject, type Tool } from '../../../kernel/index.ts';
import { posixWord } from '../../shared/text/shell-word.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { parseTexts } from './parse-text.ts';

/**
 * Formats a call as one command line for a POSIX shell, without invisible characters, so that it can be pasted. Values that cannot be
 * written as flags, such as line breaks, go into the JSON of `--params`. A parameter with the name of a flag of `toolkit run` (`reserved`) is
 * passed as `--param name=value`.
 */
export function runLine(
  { name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>,
  parameters: Readonly<Record<string, unknown>>,
  reserved: ReadonlySet<string>,
): string {
  const { properties } = inputSchema;
  const schemas = isPlainObject(properties) ? properties : {};
  const written = Object.entries(parameters).map(([parameter, value]) => {
    const isRead = (texts: readonly string[]): boolean => {
      const reading = parseTexts(texts, schemas[parameter], inputSchema);
      return 'value' in reading && isDeepStrictEqual(reading.value, value);
    };
    const texts = flagTexts(value).find(isRead) ?? [JSON.stringify(value)];
    const words = texts.flatMap((text) =>
      reserved.has(parameter) ? ['--param', `${parameter}=${text}`] : wordsOf(parameter, text, value === true),
    );
    return { parameter, value, words: isFlag(parameter) && words.every(isPlain) ? words : undefined };
  });
  const others = written.filter(({ words }) => words === undefined).map(({ parameter, value }) => [parameter, value] as const);
  const whole = others.length === 0 ? [] : ['--params', terminalText(JSON.stringify(Object.fromEntries(others)))];
  return ['toolkit', 'run', name, ...whole, ...written.flatMap(({ words = [] }) => words)].map(posixWord).join(' ');
}

/** True when `--name` means the parameter: `--config=/tmp/a.js` would not. */
function isFlag(name: string): boolean {
  return name !== '' && !name.includes('=');
}

/** True for a word without invisible characters. An interactive shell may end a line at a line break and expand `!` in the next one. */
function isPlain(word: string): boolean {
  return terminalText(word) === word;
}

/** Returns the ways to write a value as flag texts, the shortest first. */
function flagTexts(value: unknown): readonly (readonly string[])[] {
  if (typeof value === 'string') return [[value]];
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string') ? [value] : [];
}

function wordsOf(name: string, text: string, isTrue: boolean): readonly string[] {
  if (isTrue) return [`--${name}`];
  return text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text];
}
