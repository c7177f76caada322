import { ToolkitError } from '../../../../kernel/index.ts';
import { commitChanges, type FileChange } from './file-changes.ts';

interface ChangeOptions {
  /** Nothing is written. */
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

/** Each failed attempt means that another one has succeeded; only a file that is written all the time needs more. */
const attempts = 30;

/**
 * Works out changes of files and makes them, all or none. When a file changes in between, as by another call at the same time, the changes are
 * worked out anew. Throws what `plan` throws, and EXECUTION_FAILED.
 */
export async function changeFiles<Plan extends { readonly changes: readonly FileChange[] }>(
  plan: () => Promise<Plan>,
  { isDryRun, signal }: ChangeOptions,
): Promise<Plan> {
  for (let left = attempts; ; left--) {
    const planned = await plan();
    if (isDryRun || planned.changes.length === 0) return planned;
    try {
      await commitChanges(planned.changes, signal);
      return planned;
    } catch (error) {
      if (left <= 1 || !ToolkitError.is(error) || error.details['changed'] !== true) throw error;
    }
  }
}
