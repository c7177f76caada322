import { ToolkitError } from '../../../../kernel/index.ts';
import { commitChanges, type FileChange } from './file-changes.ts';

interface ChangeOptions {
  /** True when nothing is written. */
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

/**
 * Attempts before the change fails. Each failed attempt means that another writer succeeded; only a file that is written all
 * the time needs more.
 */
const attempts = 30;

/**
 * Plans changes of files and makes them, all or none. When a file changes in between, for example by a parallel call, the
 * changes are planned again. Throws what `plan` throws, and EXECUTION_FAILED.
 */
export async function changeFiles<Plan extends { readonly changes: readonly FileChange[] }>(
  plan: () => Promise<Plan>,
  { isDryRun, signal }: ChangeOptions,
): Promise<Plan> {
  for (let remainingAttempts = attempts; ; remainingAttempts--) {
    const planned = await plan();
    if (isDryRun || planned.changes.length === 0) return planned;
    try {
      await commitChanges(planned.changes, signal);
      return planned;
    } catch (error) {
      if (remainingAttempts <= 1 || !ToolkitError.is(error) || error.details['changed'] !== true) throw error;
    }
  }
}
