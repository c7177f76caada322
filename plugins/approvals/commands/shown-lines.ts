import type { Terminal } from '../../../kernel/index.ts';
import { type TextWidth, textWidth } from '../../shared/terminal/width.ts';
import { terminalText } from '../../shared/text/visible-text.ts';

/** Minimum width of wrapped lines; with less room, lines are wider than the terminal. */
const minWidth = 20;

/**
 * Formats foreign lines so that each line of the terminal begins with `indent`: no foreign text can look like a line of ours. Nothing is cut and no
 * blank is lost; hidden characters are escaped.
 */
export async function shownLines(lines: readonly string[], { columns }: Pick<Terminal, 'columns'>, indent = '  '): Promise<string> {
  if (columns === undefined) return lines.map((line) => `${indent}${terminalText(line)}\n`).join('');
  const width = await textWidth();
  const room = Math.max(minWidth, columns - indent.length - 1);
  return lines
    .flatMap((line) => partsOf(terminalText(line), room, width))
    .map((part) => `${indent}${part}\n`)
    .join('');
}

function partsOf(text: string, room: number, width: TextWidth): readonly string[] {
  const parts: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const part = width.cut(rest, room, '') || rest;
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts.length === 0 ? [''] : parts;
}

/**
 * Returns the lines of a named value, whole: `"name": 12`, an indented object, or for a text of several lines its name and count, then each line after
 * `| `.
 */
export function valueLines(name: string, value: unknown): readonly string[] {
  if (typeof value === 'string' && value.includes('\n')) {
    const lines = value.split('\n');
    return [`${JSON.stringify(name)}: a text of ${lines.length} lines`, ...lines.map((line) => `  | ${line}`)];
  }
  return `${JSON.stringify(name)}: ${JSON.stringify(value, null, 2) ?? 'undefined'}`.split('\n');
}
