import type { Terminal } from '../../../kernel/index.ts';
import { visibleText } from '../text/visible-text.ts';
import { paint, type Style } from './paint.ts';

const styles: Readonly<Record<string, Style>> = { '+': 'good', '-': 'bad', '@': 'quiet' };

/** Formats lines of a unified diff: additions green, removals red. No line can contain control characters. */
export function paintDiff(terminal: Terminal, lines: readonly string[]): string {
  return lines.map((line) => `${paintLine(terminal, line)}\n`).join('');
}

function paintLine(terminal: Terminal, line: string): string {
  const text = visibleText(line.replace(/\r$/, '').replaceAll('\t', '  '));
  const style = styles[line[0] ?? ''];
  return style === undefined ? text : paint(terminal, style, text);
}
