import { terminalText } from './visible-text.ts';

/**
 * A value as JSON with a line feed at the end. JSON leaves C1 controls and bidirectional characters as they are, and the reader may be a
 * terminal: what hides something is written as an escape, which means the same.
 */
export function jsonText(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return `${lines.map(terminalText).join('\n')}\n`;
}
