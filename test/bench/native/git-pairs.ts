import path from 'node:path';
import type { Pair } from './pairs.ts';
import { rareWord } from './seeded-tree.ts';

/** The git tools on a repository with changed files, `repository`. */
export function gitPairs(folder: string, files: number): readonly Pair[] {
  const repository = path.join(folder, 'repository');
  const pair = (tool: string, most: number, parameters: object, args: readonly string[]): Pair => ({
    what: `${tool} of ${files} files`,
    tool,
    parameters: { repository, ...parameters },
    program: 'git',
    args,
    cwd: repository,
    most,
  });
  return [
    pair('git_status', 1.5, {}, ['status', '--porcelain=v2', '--branch']),
    pair('git_log', 1.5, { max_count: 50 }, ['log', '-n', '50', '--format=fuller']),
    pair('git_grep', 1.5, { pattern: rareWord }, ['grep', '-n', rareWord]),
    pair('git_diff', 2, {}, ['diff']),
  ];
}
