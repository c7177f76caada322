import path from 'node:path';
import { ToolkitError } from '../../kernel/index.ts';
import type { CodeOutline } from '../shared/code/code-outline.ts';
import { minimalEnvironment, runProgram } from '../shared/process/program.ts';
import { codeRoot } from '../shared/project/layout.ts';

/** Time limit of the parser, in milliseconds: far more than it needs. */
const timeoutMs = 60_000;

const maxOutputBytes = 10 * 1024 * 1024;

/** The output of `outline.py`. */
interface OutlineOutput {
  readonly names?: readonly string[];
  readonly flaw?: string;
  readonly line?: number | null;
  readonly column?: number | null;
}

/**
 * Returns the names that a Python file defines, by parsing it with this Python program. Throws DEPENDENCY_MISSING without
 * Python, EXECUTION_FAILED when the parser itself fails.
 */
export async function readPythonOutline(python: string, file: string): Promise<CodeOutline> {
  const script = path.join(codeRoot(), 'plugins/executor-function/outline.py');
  const { exitCode, stdout } = await runProgram(python, ['-I', '-X', 'utf8', script, file], {
    env: minimalEnvironment(),
    signal: AbortSignal.timeout(timeoutMs),
    maxOutputBytes,
  });
  if (exitCode !== 0) throw new ToolkitError('EXECUTION_FAILED', `${python} could not parse ${path.basename(file)}.`);
  // Own text: printed by our script, lines and columns.
  const { names, flaw, line, column } = JSON.parse(stdout.toString()) as OutlineOutput;
  if (flaw === undefined) return names === undefined ? {} : { names: new Set(names) };
  return { syntaxError: flaw, ...(typeof line === 'number' ? { position: { line, column: Math.max(1, column ?? 1) } } : {}) };
}
