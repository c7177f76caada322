import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The files of this clone that a build gets: what git knows or would add, without what the ignore file leaves out. */
export async function contextFiles(ignoreFile: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    maxBuffer: 2 ** 25,
  });
  const isIgnored = readIgnore(await readFile(ignoreFile, 'utf8'));
  return [...new Set(stdout.split('\0'))].filter((file) => file !== '' && !isIgnored(file) && existsSync(file));
}

/** As Docker reads it: a pattern is for a path and all below it, the last one that fits counts, and only `*` and `**` mean something. */
export function readIgnore(text: string): (file: string) => boolean {
  const rules = text
    .split('\n')
    .filter((line) => /^[^#]/.test(line))
    .map((line) => ({ isIgnored: !line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  return (file) => rules.findLast(({ pattern }) => pattern.test(file))?.isIgnored ?? false;
}

function patternOf(line: string): RegExp {
  if (!/^[\w./*-]+$/.test(line)) throw new Error(`The pattern "${line}" of the ignore file is more than this reader knows.`);
  const source = line
    .replaceAll('.', '\\.')
    .split('**/')
    .map((part) => part.replaceAll('*', '[^/]*'))
    .join('(?:.*/)?');
  return new RegExp(`^${source}(/.*)?$`);
}
