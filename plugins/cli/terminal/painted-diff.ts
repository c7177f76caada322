import type { Terminal } from '../../../kernel/index.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { paint, type Style } from './paint.ts';

const styles: Readonly<Record<string, Style>> = { '+': 'good', '-': 'bad', '@': 'quiet' };

/** Lines of a unified diff as a person may look at them: what came in is green, what went is red, and no line can steer the terminal. */
export function paintedDiff(terminal: Terminal, lines: readonly string[]): string {
  return lines.map((line) => `${painted(terminal, line)}\n`).join('');
}

function painted(terminal: Terminal, line: string): string {
  const text = visibleText(line.replace(/\r$/, '').replaceAll('\t', '  '));
  const style = styles[line[0] ?? ''];
  return style === undefined ? text : paint(terminal, style, text);
}
