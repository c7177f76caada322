import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { changeFiles } from './change-files.ts';
import type { Edit, EditPlan } from './edit-plan.ts';

interface EditParameters {
  readonly path: string;
  readonly edits: readonly Edit[];
  readonly dry_run: boolean;
}

interface EditResult {
  readonly applied: boolean;
  readonly path: string;
  readonly replacements: number;
  readonly diff: string;
  readonly diff_truncated: boolean;
}

/**
 * Replaces texts in a file: all edits, or none. Throws INVALID_PARAMETERS for an edit that does not fit, NOT_FOUND and
 * EXECUTION_FAILED for the file.
 */
export async function editFile({ path, edits, dry_run }: EditParameters, { inChild, signal }: FunctionContext): Promise<EditResult> {
  const plan = (): Promise<EditPlan> => inChild('./editing/edit-plan.ts#planEdits', { path, edits }) as Promise<EditPlan>;
  const { replacements, diff, diff_truncated } = await changeFiles(plan, { isDryRun: dry_run, signal });
  return { applied: !dry_run, path, replacements, diff, diff_truncated };
}
