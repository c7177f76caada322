import path from 'node:path';
import { formatProblem, type Problem, type Registry } from '../../../../kernel/index.ts';
import { anyOf } from '../../../shared/exposure/wildcard.ts';
import { isInside } from '../../../shared/project/is-inside.ts';
import { shownPath } from '../../terminal/shown-path.ts';
import type { ToolResult } from './report/tool-result.ts';

/** Definitions that do not load, so that there is no tool to test: those that a word stands for, or without one all but those of packages. */
export function brokenDefinitions({ problems }: Pick<Registry, 'problems'>, word: string | undefined, cwd: string): readonly ToolResult[] {
  const wanted = problems.filter((problem) => problem.severity === 'error' && problem.file !== undefined && isMeant(problem, word, cwd));
  const files = [...new Set(wanted.map(({ file = '' }) => file))].map((file) => ({
    file,
    found: wanted.filter((problem) => problem.file === file),
  }));
  return files.map(({ file, found }) => ({
    tool: found.find(({ tool }) => tool !== undefined)?.tool ?? shownPath(file, cwd),
    status: 'failed',
    examples: [],
    findings: [
      { message: 'its definition does not load', lines: found.map((problem) => formatProblem({ ...problem, file: shownPath(file, cwd) })) },
    ],
  }));
}

function isMeant({ tool, file = '' }: Problem, word: string | undefined, cwd: string): boolean {
  if (word === undefined) return !file.split(path.sep).includes('node_modules');
  const place = path.resolve(cwd, word);
  return (tool !== undefined && anyOf([word])(tool)) || file === place || isInside(file, place);
}
