import type { Terminal } from '../../../../../kernel/index.ts';

/** Sentences within the width of the terminal. Lines that begin with a blank, such as command lines, stay as they are. */
export async function prose({ columns }: Pick<Terminal, 'columns'>, text: string): Promise<string> {
  if (columns === undefined) return text;
  const { wrapAnsi } = await import('fast-wrap-ansi');
  const lines = text.split('\n').map((line) => (line.startsWith(' ') ? line : wrapAnsi(line, columns, { hard: true })));
  return lines.join('\n');
}
