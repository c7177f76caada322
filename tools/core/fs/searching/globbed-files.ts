import nodePath from 'node:path';
import { ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import type { UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import type { LeftOutResult } from '../files/git-exclusions.ts';
import { fileOrFolderAt, filesBelow } from './files-below.ts';

/** File that a tool works on, with its name in the result. */
export interface ChosenFile {
  readonly name: string;
  readonly path: string;
}

export interface ChosenFiles extends LeftOutResult, UnreadableResult {
  readonly files: readonly ChosenFile[];
  /** Number of matching files, also those over the limit. */
  readonly total: number;
}

export interface GlobRequest {
  readonly path: string;
  readonly glob: string;
  /** Includes links, pipes and devices. */
  readonly specialFiles: boolean;
  /** Maximum number of files. */
  readonly max: number;
}

/**
 * Lists the files that match a pattern, without those that hold secrets. Runs in a child process. Throws INVALID_PARAMETERS for
 * a pattern that leaves the folder, NOT_FOUND and EXECUTION_FAILED.
 */
export async function globbedFiles(
  { path, glob, specialFiles, max }: GlobRequest,
  { controlFiles }: Pick<FunctionContext, 'controlFiles'>,
): Promise<ChosenFiles> {
  const { real, isFile } = fileOrFolderAt(path);
  if (isFile) throw notAFolder();
  const { paths, leftOut, unreadable } = await filesBelow(real, glob, { parameter: 'glob', specialFiles });
  const all = paths
    .map((name) => ({ name, path: nodePath.join(real, name) }))
    .filter((file) => controlFiles.find(file.path, 'read') === undefined);
  return { files: all.slice(0, max), total: all.length, ...unreadable.result, ...leftOut };
}

function notAFolder(): ToolkitError {
  const message = 'expected a folder, because glob is given, and it is a file';
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "path": ${message}. Leave glob out, or give the folder.`, {
    issues: [{ path: 'path', message }],
  });
}
