import { terminalText } from '../../text/visible-text.ts';

/** Maximum length of an excerpt, before hidden characters are escaped. */
const maxLength = 100;

/** Returns the passage from one index to another with a little of what stands around it, safe to print; at most 160 characters. */
export function passage(text: string, start: number, end: number): string {
  const room = Math.max(0, maxLength - Math.min(maxLength, end - start));
  const from = Math.max(0, start - Math.floor(room / 2));
  const cut = text.slice(from, from + maxLength).toWellFormed();
  const escaped = terminalText(cut.replace(/\s+/g, ' ').trim());
  const shown = escaped.length > 150 ? `${escaped.slice(0, 150)}…` : escaped;
  return `${from > 0 ? '…' : ''}${shown}${from + maxLength < text.length ? '…' : ''}`;
}
