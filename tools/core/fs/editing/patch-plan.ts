import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { BlockedFiles } from '../../../../plugins/shared/control-files/blocked-files.ts';
import { fileError } from '../files/file-error.ts';
import { applyHunks } from './apply-hunks.ts';
import type { FileChange } from './file-changes.ts';
import { type FilePatch, parseFilePatches, patchRefusal } from './file-patch.ts';
import { resolveInside } from './resolve-inside.ts';
import { WorkingFiles } from './working-files.ts';

export interface PatchedFile {
  /** Name in the patch; the new name after a rename. */
  readonly path: string;
  readonly status: 'created' | 'modified' | 'deleted' | 'renamed' | 'copied';
  /** Old name of a renamed or copied file. */
  readonly from?: string;
  readonly hunks: number;
}

export interface PatchPlan {
  readonly changes: readonly FileChange[];
  readonly files: readonly PatchedFile[];
}

const statuses = { create: 'created', modify: 'modified', delete: 'deleted', rename: 'renamed', copy: 'copied' } as const;

/**
 * Plans the changes of a patch. Runs in a child process. Throws INVALID_PARAMETERS, NOT_FOUND, EXECUTION_FAILED, and
 * POLICY_DENIED for control files.
 */
export async function planPatch(
  { root, patch }: { readonly root: string; readonly patch: string },
  { controlFiles }: Pick<FunctionContext, 'controlFiles'>,
): Promise<PatchPlan> {
  const working = new WorkingFiles();
  const files: PatchedFile[] = [];
  const filePatches = await parseFilePatches(patch);
  // Checked before any file is read: the message about a hunk that does not fit reveals content of the file.
  const held = new BlockedFiles(controlFiles);
  for (const name of filePatches.flatMap(namesIn)) held.check(place(root, name), 'write');
  held.refuse({ action: 'written' });
  for (const filePatch of filePatches) {
    await applyTo(working, root, filePatch);
    const { kind, from, to, hunks } = filePatch;
    const isMoved = kind === 'rename' || kind === 'copy';
    files.push({ path: kind === 'delete' ? from : to, status: statuses[kind], hunks: hunks.length, ...(isMoved ? { from } : {}) });
  }
  return { changes: working.changes(), files };
}

function namesIn({ kind, from, to }: FilePatch): string[] {
  return [...(kind === 'create' ? [] : [from]), ...(kind === 'delete' ? [] : [to])];
}

async function applyTo(working: WorkingFiles, root: string, { kind, from, to, hunks, mode }: FilePatch): Promise<void> {
  const target = kind === 'delete' ? undefined : place(root, to);
  const source = kind === 'create' ? undefined : place(root, from);
  if (target !== undefined && target !== source && working.has(target)) throw inTheWay(to);
  if (source !== undefined && !working.has(source)) throw notThere(from);
  const old = source === undefined ? undefined : working.get(source);
  const text = await applyHunks(old?.text ?? '', hunks, target === undefined ? from : to);
  if (target === undefined && text !== '') throw leftOver(from, text);
  if (source !== undefined && kind !== 'copy' && source !== target) working.remove(source);
  if (target !== undefined) working.set(target, { text, mode: mode ?? old?.mode ?? null });
}

function place(root: string, name: string): string {
  try {
    return resolveInside(root, name);
  } catch (error) {
    throw fileError(error, 'write', name);
  }
}

function inTheWay(name: string): ToolkitError {
  return patchRefusal(`the patch creates "${excerpt(name)}", which exists already`);
}

function notThere(name: string): ToolkitError {
  const message = `Parameter "patch": the patch changes "${excerpt(name)}", and there is no such file below root. Nothing was written. For a new file write /dev/null after ---.`;
  return new ToolkitError('NOT_FOUND', message, { file: name });
}

function leftOver(name: string, text: string): ToolkitError {
  return patchRefusal(`the patch deletes "${excerpt(name)}", whose lines it does not all remove: "${excerpt(text, 100)}" would be left`);
}
