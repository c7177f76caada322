import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { folderAt } from '../files/folder-at.ts';
import { changeFiles } from './change-files.ts';
import type { PatchedFile, PatchPlan } from './patch-plan.ts';

interface PatchParameters {
  readonly patch: string;
  readonly root: string;
  readonly dry_run: boolean;
}

/** Applies a unified diff: all hunks of all files, or none. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED. */
export async function applyPatch(
  { patch, root, dry_run }: PatchParameters,
  { inChild, signal }: FunctionContext,
): Promise<{ applied: boolean; files: readonly PatchedFile[] }> {
  const folder = await folderAt(root);
  const plan = (): Promise<PatchPlan> => inChild('./editing/patch-plan.ts#planPatch', { root: folder, patch }) as Promise<PatchPlan>;
  const { files } = await changeFiles(plan, { isDryRun: dry_run, signal });
  return { applied: !dry_run, files };
}
