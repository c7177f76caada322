import { terminalText } from './visible-text.ts';

/**
 * Writes a value as indented JSON with a final line feed, safe for terminals. JSON leaves C1 controls and bidirectional characters as they
 * are; characters that hide text are escaped here, with the same meaning.
 */
export function jsonText(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return `${lines.map(terminalText).join('\n')}\n`;
}
