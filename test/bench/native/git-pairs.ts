import path from 'node:path';
import type { Pair } from './pairs.ts';
import { needle, partOfTree } from './seeded-repository.ts';

/** The git tools on a repository with changed files, `repository`. */
export function gitPairs(folder: string, files: number): readonly Pair[] {
  const repository = path.join(folder, 'repository');
  const pair = (what: string, most: number, parameters: object, args: readonly string[]): Pair => {
    const [tool = ''] = what.split(' ');
    return {
      what: `${what} of ${files} files`,
      tool,
      parameters: { repository, ...parameters },
      program: 'git',
      args,
      cwd: repository,
      most,
    };
  };
  const format = '--format=%H %aN %aE %aI %s %b';
  const absent = 'no such text';
  return [
    pair('git_status', 1.5, {}, ['status', '--porcelain=v2', '--branch']),
    pair('git_log', 1.5, { max_count: 50 }, ['log', '-n', '50', format]),
    pair('git_log in a folder', 1.5, { max_count: 50, path: partOfTree }, ['log', '-n', '50', format, '--', partOfTree]),
    pair('git_log by changed text', 1.5, { changed_text: absent, revision: 'HEAD~200..HEAD' }, [
      'log',
      `-S${absent}`,
      '--format=%H',
      'HEAD~200..HEAD',
    ]),
    pair('git_grep', 1.5, { pattern: needle }, ['grep', '-I', '-n', '-E', needle]),
    pair('git_diff', 2, {}, ['diff']),
    pair('git_diff between commits', 2, { from: 'HEAD~20', to: 'HEAD' }, ['diff', 'HEAD~20', 'HEAD']),
  ];
}
