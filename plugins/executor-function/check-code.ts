import { type CodeCheck, type CodeIssue, messageOf, type Origin, ToolkitError } from '../../kernel/index.ts';
import { functionIssues } from '../shared/code/code-outline.ts';
import { moduleExports } from '../shared/code/module-exports.ts';
import type { FunctionExecution } from './execution.ts';
import { readPythonOutline } from './python-outline.ts';
import { defaultExports } from './run-function.ts';

const pythonNames = ['run'];

/**
 * Returns issues for functions that an execution names and its files do not define. `unchecked` gives the reason where a file
 * could not be checked, such as a file of Python without Python.
 */
export async function checkCode({ code, identify }: FunctionExecution, origin: Origin, python: string): Promise<CodeCheck> {
  const issues: CodeIssue[] = [];
  try {
    for (const [key, reference] of Object.entries({ identify, code })) {
      if (reference === undefined) continue;
      const isPython = /\.py(#|$)/.test(reference);
      const entry = { key, code: reference, fallback: isPython ? pythonNames : defaultExports };
      issues.push(...(await functionIssues(entry, origin, (file) => (isPython ? readPythonOutline(python, file) : moduleExports(file)))));
    }
    return { issues };
  } catch (error) {
    if (ToolkitError.is(error)) return { issues, unchecked: messageOf(error) };
    throw error;
  }
}
