import path from 'node:path';
import { type Call, type CallContext, type ExecutionResult, messageOf } from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import type { LaunchProgram } from '../shared/process/program.ts';
import { errorWithNote, withNote } from '../shared/process/with-note.ts';
import { pythonCommand, workerScriptPath } from './python-worker.ts';
import type { WorkerPool } from './worker-pool.ts';

/**
 * Returns the files that a Python process reads beside those of its tool: the script, the installation of a `python` given as
 * a path, and `PYTHONPATH`.
 */
export function pythonReads(python: string): readonly string[] {
  const { PYTHONPATH = '' } = process.env;
  const modules = PYTHONPATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [workerScriptPath(), ...(path.isAbsolute(python) ? [path.dirname(path.dirname(python))] : []), ...modules];
}

/** Runs a Python function in a process that the launcher starts, or in a running one with the same rights. */
export async function runLaunchedPython(
  processes: WorkerPool,
  python: string,
  launch: LaunchProgram,
  job: { readonly code: CodeReference; readonly call: Call; readonly context: CallContext },
): Promise<ExecutionResult> {
  const launched = await launch(pythonCommand(python));
  let result: ExecutionResult;
  try {
    result = await processes.run({ ...job, launched });
  } catch (error) {
    throw errorWithNote(error, await launched.ended({ exitCode: undefined, text: messageOf(error) }));
  }
  return withNote(result, await launched.ended({ exitCode: 0, text: '' }));
}
