/**
 * Prints the lines of TypeScript that hold code, neither blank nor a comment alone, in kernel, plugins and tools, by folder:
 * `npm run count`. With folders, `npm run count -- plugins/engine-local plugins/shared/calls`: those of each, and their sum. The comments are
 * the parser's. Counts the tree of the working directory.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { countCodeLines } from './code-lines.ts';

const folders = process.argv.slice(2);
const tops = folders.length === 0 ? ['kernel', 'plugins', 'tools'] : folders;

/** Files of git, and those that it does not know yet. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...tops], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file.endsWith('.ts'));
const lines = new Map<string, number>();
for (const file of files) {
  const count = countCodeLines(await readFile(file, 'utf8'), file);
  const [top = '', folder = ''] = file.split('/');
  const rooms = [top, ...(file.split('/').length > 2 ? [`${top}/${folder}`] : [])];
  for (const place of ['total', ...(folders.length === 0 ? rooms : folders.filter((name) => file.startsWith(`${name}/`)))])
    lines.set(place, (lines.get(place) ?? 0) + count);
}
for (const [place, count] of [...lines].sort(([a], [b]) => (a < b ? -1 : 1)))
  process.stdout.write(`${String(count).padStart(7)}  ${place}\n`);
