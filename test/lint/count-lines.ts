/**
 * Prints the lines of TypeScript that hold code, neither blank nor a comment alone, in kernel, plugins and tools, by folder:
 * `tsx test/lint/count-lines.ts`. The comments are the parser's.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { countCodeLines } from './code-lines.ts';

const tops = ['kernel', 'plugins', 'tools'];

/** Files of git, and those that it does not know yet. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...tops], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file.endsWith('.ts'));
const lines = new Map<string, number>();
for (const file of files) {
  const count = countCodeLines(await readFile(file, 'utf8'), file);
  const [top = '', folder = ''] = file.split('/');
  for (const place of ['total', top, ...(file.split('/').length > 2 ? [`${top}/${folder}`] : [])])
    lines.set(place, (lines.get(place) ?? 0) + count);
}
for (const [place, count] of [...lines].sort(([a], [b]) => (a < b ? -1 : 1)))
  process.stdout.write(`${String(count).padStart(7)}  ${place}\n`);
