import { terminalLines, terminalText } from '../../../shared/text/visible-text.ts';

/** Returns foreign text of one line, with hidden characters as escapes. */
export const shownLine = terminalText;

/** Returns foreign text of several lines, with hidden characters other than line breaks and tabs as escapes. */
export function shownLines(text: string): string {
  return text.split('\t').map(terminalLines).join('\t');
}

/** Returns a value as indented JSON, with hidden characters as escapes. A missing value is an empty text. */
export function displayJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) as string | undefined;
  return text === undefined ? '' : shownLines(text);
}
