import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { changeFiles } from './change-files.ts';
import type { ReplacePlan, ReplaceRequest } from './replace-plan.ts';

interface ReplaceParameters extends ReplaceRequest {
  readonly dry_run: boolean;
}

type ReplaceResult = Omit<ReplacePlan, 'changes'>;

/** Replaces a pattern in many files: in all, or in none. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED. */
export async function replaceInFiles(
  { dry_run, ...request }: ReplaceParameters,
  { inThread, signal }: FunctionContext,
): Promise<ReplaceResult> {
  const plan = (): Promise<ReplacePlan> => inThread('./editing/replace-plan.ts#planReplace', { ...request }) as Promise<ReplacePlan>;
  const { changes: _changes, ...result } = await changeFiles(plan, { isDryRun: dry_run, signal });
  return result;
}
