import type { Terminal } from '../../../../../kernel/index.ts';

/** Wraps text to the width of the terminal. Lines that begin with a space, such as command lines, stay unchanged. */
export async function wrapProse({ columns }: Pick<Terminal, 'columns'>, text: string): Promise<string> {
  if (columns === undefined) return text;
  const { wrapAnsi } = await import('fast-wrap-ansi');
  const lines = text.split('\n').map((line) => (line.startsWith(' ') ? line : wrapAnsi(line, columns, { hard: true })));
  return lines.join('\n');
}
