import { createHash } from 'node:crypto';
import type { CallIdentity } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { changeFiles } from './change-files.ts';
import type { ReplacePlan, ReplaceRequest } from './replace-plan.ts';

interface ReplaceParameters extends ReplaceRequest {
  readonly dry_run: boolean;
}

interface ReplaceResult extends Omit<ReplacePlan, 'changes'> {
  readonly applied: boolean;
}

/** Replaces a pattern in many files: in all, or in none. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED. */
export async function replaceInFiles(
  { dry_run, ...request }: ReplaceParameters,
  { inChild, signal }: FunctionContext,
): Promise<ReplaceResult> {
  const plan = (): Promise<ReplacePlan> => inChild('./editing/replace-plan.ts#planReplace', { ...request }) as Promise<ReplacePlan>;
  const { changes: _changes, ...result } = await changeFiles(plan, { isDryRun: dry_run, signal });
  return { applied: !dry_run, ...result };
}

/** Returns the identity of a call: the files that would change, and their new content. */
export async function identifyReplace({ dry_run: _, ...request }: ReplaceParameters, { inChild }: FunctionContext): Promise<CallIdentity> {
  const { changes, files, total } = (await inChild('./editing/replace-plan.ts#planReplace', { ...request })) as ReplacePlan;
  const hash = createHash('sha256');
  for (const { path, text, previous } of changes) hash.update(JSON.stringify([path, text, previous]));
  const names = files.map(({ path }) => path).join(', ');
  return { content: { shown: `${total} replacements in ${files.length} files: ${names}`, state: hash.digest('hex') } };
}
