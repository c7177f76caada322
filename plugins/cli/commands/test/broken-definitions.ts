import path from 'node:path';
import { formatProblem, type Problem, type Registry } from '../../../../kernel/index.ts';
import { anyOf } from '../../../shared/exposure/wildcard.ts';
import { displayPath } from '../../../shared/terminal/display-path.ts';
import { isWithin } from './is-within.ts';
import type { ToolResult } from './report/tool-result.ts';

/**
 * Returns a failed result for each definition that does not load. `words` choose tools, files or folders; without words, all definitions
 * except those of packages.
 */
export function brokenDefinitions({ problems }: Pick<Registry, 'problems'>, words: readonly string[], cwd: string): readonly ToolResult[] {
  const wanted = problems.filter(
    (problem) => problem.severity === 'error' && problem.file !== undefined && isSelected(problem, words, cwd),
  );
  const files = [...new Set(wanted.map(({ file = '' }) => file))].map((file) => ({
    file,
    found: wanted.filter((problem) => problem.file === file),
  }));
  return files.map(({ file, found }) => ({
    tool: found.find(({ tool }) => tool !== undefined)?.tool ?? displayPath(file, cwd),
    status: 'failed',
    examples: [],
    findings: [
      {
        message: 'its definition does not load',
        lines: found.map((problem) => formatProblem({ ...problem, file: displayPath(file, cwd) })),
      },
    ],
  }));
}

function isSelected({ tool, file = '' }: Problem, words: readonly string[], cwd: string): boolean {
  if (words.length === 0) return !file.split(path.sep).includes('node_modules');
  return (tool !== undefined && anyOf(words)(tool)) || words.some((word) => isWithin(file, path.resolve(cwd, word)));
}
